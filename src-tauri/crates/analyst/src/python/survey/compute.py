# Each question by its kind: one answer of few, several ticked, a scale, a number, or free text.
SCALES = [["strongly disagree", "disagree", "neutral", "agree", "strongly agree"], ["very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"],
          ["never", "rarely", "sometimes", "often", "always"], ["very poor", "poor", "fair", "good", "very good", "excellent"], ["not at all", "slightly", "moderately", "very", "extremely"],
          ["none", "a little", "some", "a lot"], ["very unlikely", "unlikely", "neutral", "likely", "very likely"]]
chosen = [name for name in data.columns if name in MEASURES + GROUPS] or list(data.columns)
ticked, found, free = {}, [], []
for name in chosen:
    stem_, dash, option = str(name).rpartition(" - ")
    filled = data[name].dropna()
    if dash and filled.nunique() == 1 and sum(str(other).startswith(stem_ + dash) for other in data.columns) > 1:
        ticked.setdefault(stem_.strip(), []).append((option, len(filled), name))
    elif name in NUMBERS and filled.nunique() > 11:
        if filled.nunique() < 0.9 * len(filled):
            found.append((name, "number", f"average {fmt(filled.mean(), name)}, median {fmt(filled.median(), name)}", len(filled), np.nan))
    elif 2 <= filled.nunique() <= max(20, 0.02 * len(filled)) and filled.nunique() < 0.6 * len(filled):
        answers = filled.map(show).str.strip().value_counts()
        scale = next((steps for steps in SCALES if set(answers.index.str.lower()) <= set(steps) | {"don't know", "n/a"} and len(answers) > 2), None)
        kind = "scale" if scale else "one of few"
        for value in ([step for step in scale for value in answers.index if value.lower() == step] and sorted(answers.index, key=lambda value: scale.index(value.lower()) if value.lower() in scale else 99)) if scale else answers.index[:12]:
            found.append((name, kind, value, int(answers[value]), 100 * answers[value] / len(filled)))
    elif name not in NUMBERS and name not in TIMES and len(filled) >= 3 and filled.astype(str).str.contains(" ").mean() > 0.2:
        words_ = filled.astype(str).str.lower().str.findall(r"[^\W\d_]{4,}").explode().dropna()
        words_ = words_[~words_.isin("that this with have from they were what when your will would there their about because which very also just like some been than them more much".split())]
        common = words_.value_counts().head(5)
        free.append(name)
        if len(common):
            found.append((name, "free text", "often: " + ", ".join(f"{word} ({number})" for word, number in common.items()), len(filled), np.nan))
for stem_, options in ticked.items():
    asked = int(data[[column for *_, column in options]].notna().any(axis=1).sum())
    for option, number, _ in sorted(options, key=lambda one: -one[1]):
        found.append((stem_, "several possible", option, number, 100 * number / max(asked, 1)))
result = pd.DataFrame(found, columns=["question", "kind", "answer", "count", "share %"])
if result.empty:
    raise SystemExit("error: no column looks like the answers to a question")
result["share %"] = result["share %"].round(1)
FORMATS = {"share %": lambda value: fmt(value), "count": lambda value: f"{value:,}"}
first_answers = result[result["kind"].isin(["one of few", "scale"])].sort_values("count", ascending=False).drop_duplicates("question")
questions = result["question"].nunique()
answer = f"{count(len(data), 'person').replace('persons', 'people')} answered; {count(questions, 'question')} can be counted."
telling = first_answers[(first_answers["share %"] < 97)].head(1)
if len(telling):
    one = telling.iloc[0]
    answer += f" To “{str(one['question'])[:90]}”, most answered {one['answer']}: {one['count']:,} ({fmt(one['share %'])} %)."
evidence = []
for _, one in first_answers.iloc[1:8].iterrows():
    evidence.append(f"{str(one['question'])[:100]}: most often {one['answer']} ({one['count']:,}, {fmt(one['share %'])} %).")
answered = data[chosen].notna().mean()
few = answered[(answered < 0.5) & ~answered.index.isin([column for options in ticked.values() for *_, column in options])]
if len(few):
    cautions.append(f"{count(len(few), 'question')} were answered by fewer than half of the people, which may have been those to whom it applied.")
if ticked:
    cautions.append("Where several answers were possible, the shares are of those who ticked at least one, and add up to more than 100 %.")
cautions.append("Shares are of those who answered that question. Who did not take part at all is not in the table.")
title = "The answers to the survey"
print(result.head(60).to_string(index=False, max_colwidth=50))
