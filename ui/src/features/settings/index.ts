export { ModelChoice } from "./ModelChoice";
export { SettingsScreen } from "./SettingsScreen";
export { useSettings, type KeptSettings } from "./useSettings";
export { rowWords, thinks } from "./words";
