export { Making } from "./Making";
export { linesAfter } from "./progress";
export { TroubleBody, TroubleDialog } from "./TroubleDialog";
export { inShort } from "./words";
export {
  isTrouble,
  modelTroubleOf,
  troubleOf,
  usual,
  useDiagnosis,
  type Diagnosed,
} from "./useDiagnosis";
