export { TroubleBody, TroubleDialog } from "./TroubleDialog";
export { inShort } from "./words";
export { isTrouble, modelTroubleOf, troubleOf, useDiagnosis, type Diagnosed } from "./useDiagnosis";
