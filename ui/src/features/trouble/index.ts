export { TroubleBody, TroubleDialog } from "./TroubleDialog";
export { isTrouble, modelTroubleOf, troubleOf, useDiagnosis, type Diagnosed } from "./useDiagnosis";
