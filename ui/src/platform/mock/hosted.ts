import type { HostedTerms, Problem } from "../../api/types";
import { scene } from "./scene";

/** What a provider's containers cannot promise, and whether the practice person has agreed. */

const caveats = [
  "The files, the code and all that it prints are sent to the provider; how long they are kept there is for the provider to say.",
  "That the code has no network is asked of the provider and cannot be checked from here.",
  "Each step asks the provider's model to run one line, which costs time and money beside the container itself.",
  "Code that means harm can also make up what is reported of its own run.",
  "What a step prints is shown at its end, or every half minute.",
];

const agreed = new Map<string, string>();
if (scene.consent === "given") agreed.set("https://api.openai.com/v1", "2025-11-29T15:02:11Z");

export const terms = (address: string): HostedTerms => ({
  caveats,
  agreed_at: agreed.get(address) ?? null,
});

export function agree(address: string): void {
  agreed.set(address, new Date().toISOString());
}

export function withdraw(address: string): void {
  agreed.delete(address);
}

export const consentProblem = (address: string): Problem | null =>
  agreed.has(address)
    ? null
    : {
        code: "consent_missing",
        message: `The files of a run would leave this computer: they are sent to ${new URL(address).host}, where the code runs.`,
        hint: "Agree to that in the settings, or choose a sandbox on this computer.",
        detail: "",
      };

export const hostedGaps = caveats;
