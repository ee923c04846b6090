export { KeyField } from "./connect";
export { ModelChoice } from "./ModelChoice";
export { SettingsScreen } from "./SettingsScreen";
export { useSettings, type KeptSettings } from "./useSettings";
export { keyWords, rowWords, thinks } from "./words";
