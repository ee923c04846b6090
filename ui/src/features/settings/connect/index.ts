export { Connect } from "./Connect";
export { Connected } from "./Connected";
export { KeyField } from "./KeyField";
