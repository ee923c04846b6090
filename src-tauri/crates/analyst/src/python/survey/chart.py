telling = [question for question in first_answers["question"].head(12) if 2 <= (result["question"] == question).sum() <= 12][:2] + list(ticked)[:1]
for number, question in enumerate(telling or list(result["question"].unique()[:1]), start=1):
    drawn = result[(result["question"] == question)].head(14)
    bars(list(drawn["answer"]), drawn["count"].to_numpy(), str(question), f"people, of {len(data):,}", f"question_{number}")
