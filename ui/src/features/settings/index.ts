export { ModelChoice } from "./ModelChoice";
export { SettingsScreen } from "./SettingsScreen";
export { useSettings, type KeptSettings } from "./useSettings";
export { thinks } from "./words";
