/** The past runs. */
export { HistoryScreen } from "./HistoryScreen";
