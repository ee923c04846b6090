export { Connect } from "./Connect";
export { Connected } from "./Connected";
