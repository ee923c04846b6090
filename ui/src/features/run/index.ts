/** A run: its events, its state, and the screen that shows it. */
export { RunScreen } from "./RunScreen";
export { followUp, resume, startRun } from "./start";
