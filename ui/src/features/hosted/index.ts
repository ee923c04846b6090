export { AskConsent } from "./Consent";
export { Provider } from "./Provider";
export { ProviderSetUp } from "./ProviderSetUp";
