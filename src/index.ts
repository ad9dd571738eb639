// The public contract.

export { type ErrorCode, HingeError, type Where } from "./base/errors.js";
export type { CalibrateOptions } from "./base/options/calibrate.js";
export type { CrossValidateOptions, FoldDone, FoldsInput, HeldOut, Scoring, ScoringName } from "./base/options/cross-validate.js";
export type { ColumnKind, CsvOptions, CsvWriteOptions, NumericMatrixOptions, SvmlightWriteOptions } from "./base/options/csv.js";
export type {
  AuditOptions,
  KernelAuditOptions,
  MatrixOptions,
  OneClassAuditOptions,
  PoolOptions,
  PredictOptions,
  RegressionAuditOptions,
  SvmlightOptions,
} from "./base/options/data.js";
export type { ExplainOptions } from "./base/options/explain.js";
export type { ClassWeight, KernelProgress, Progress } from "./base/options/fit.js";
export type { FoldOptions, GroupsInput } from "./base/options/folds.js";
export type {
  CustomKernel,
  KernelStartModel,
  LoadOptions,
  NuSvcOptions,
  NuSvrOptions,
  OneClassOptions,
  SvcOptions,
  SvrOptions,
} from "./base/options/kernel.js";
export type { LiblinearSearchOptions, SearchedPoint } from "./base/options/liblinear-search.js";
export type { WarmStart } from "./base/options/linear.js";
export type { LinearOneClassOptions, OneClassStart } from "./base/options/linear-one-class.js";
export type { LinearSvcOptions } from "./base/options/linear-svc.js";
export type { LinearSvrOptions, RegressionStart } from "./base/options/linear-svr.js";
export type { LogisticRegressionOptions } from "./base/options/logistic-regression.js";
export type { AveragedOptions, CalibrationOptions, CurveOptions, MetricOptions } from "./base/options/metrics.js";
export type {
  FeatureRange,
  MaxAbsScalerOptions,
  MinMaxScalerOptions,
  Norm,
  NormalizerOptions,
  StandardScalerOptions,
  TransformOptions,
} from "./base/options/scalers.js";
export type { Grid, GridPoint, SearchedName, SearchOptions, SearchProgress } from "./base/options/search.js";
export type { ColumnsOptions, ImputerOptions, OneHotEncoderOptions } from "./base/options/tables.js";
export type { HashingVectorizerOptions, Ngrams, TfidfVectorizerOptions } from "./base/options/text.js";
export type { Status } from "./base/status.js";
export { type Fold, folds } from "./data/folds.js";
export type { Label, LabelsInput } from "./data/labels.js";
export type { Matrix } from "./data/matrix.js";
export type { FlatRows, RecordRow, RowsInput, SparseRow } from "./data/pack.js";
export {
  type CategoricalColumn,
  type Column,
  columnKinds,
  MISSING_CODE,
  type MissingColumn,
  type NumericColumn,
  type Table,
  type TextColumn,
} from "./data/table.js";
export { CalibratedClassifier } from "./estimators/calibrated-classifier.js";
export { type ColumnInput, Columns, type ColumnsRecipe, columns } from "./estimators/columns.js";
export {
  type ExplainedDecision,
  type ExplainedOutput,
  type ExplainedWeights,
  explain,
  type FeaturePart,
  type FeatureWeight,
  type VectorPart,
} from "./estimators/explain.js";
export { HashingVectorizer } from "./estimators/hashing-vectorizer.js";
export { Imputer } from "./estimators/imputer.js";
export { type FittedNuSVC, type FittedSVC, KernelClassifier, NuSVC, SVC } from "./estimators/kernel-classifier.js";
export { KernelModel } from "./estimators/kernel-model.js";
export { type FittedNuSVR, type FittedSVR, KernelRegressor, NuSVR, SVR } from "./estimators/kernel-regression.js";
export { LinearClassifier } from "./estimators/linear-classifier.js";
export type { RowInput } from "./estimators/linear-decision.js";
export type { ProblemReport } from "./estimators/linear-fit.js";
export { type FittedLinearOneClassSVM, LinearOneClassSVM } from "./estimators/linear-one-class-svm.js";
export type { ProblemTitle } from "./estimators/linear-problems.js";
export { type FittedLinearSVC, LinearSVC } from "./estimators/linear-svc.js";
export { type FittedLinearSVR, LinearSVR } from "./estimators/linear-svr.js";
export { type LoadableClass, type Loaded, load } from "./estimators/load.js";
export { type FittedLogisticRegression, LogisticRegression } from "./estimators/logistic-regression.js";
export { type FittedOneClassSVM, OneClassSVM } from "./estimators/one-class-svm.js";
export { OneHotEncoder } from "./estimators/one-hot-encoder.js";
export { Pipeline, pipeline, type Recipe, type StageInput } from "./estimators/pipeline.js";
export type { TargetsInput } from "./estimators/regression-problem.js";
export type { CertifiedReport, FitReport, FitRun, UnknownReport } from "./estimators/report.js";
export { MaxAbsScaler, MinMaxScaler, Normalizer, type Scaler, StandardScaler } from "./estimators/scalers.js";
export { TfidfVectorizer } from "./estimators/tfidf-vectorizer.js";
export { type CsvLabels, readCsv, type TableAndLabels } from "./formats/csv.js";
export { writeCsv } from "./formats/csv-write.js";
export { numericMatrix } from "./formats/numeric-matrix.js";
export { type LabelledRows, readSvmlight } from "./formats/svmlight.js";
export { writeSvmlight } from "./formats/svmlight-write.js";
export type { DataSource } from "./formats/with-source.js";
export type { MetricLabel, MetricLabels } from "./metrics/checked.js";
export {
  type AveragedScores,
  accuracy,
  balancedAccuracy,
  type ClassReport,
  type ClassScores,
  type ConfusionMatrix,
  classReport,
  confusionMatrix,
  f1,
  precision,
  recall,
} from "./metrics/classes.js";
export {
  brierScore,
  type CalibrationCurve,
  calibrationCurve,
  logLoss,
  type PrCurve,
  prCurve,
  type RocCurve,
  rocCurve,
} from "./metrics/curves.js";
export { meanAbsoluteError, meanSquaredError, r2, squaredCorrelation } from "./metrics/numbers.js";
export type { CalibratedJson } from "./model/calibrated.js";
export type { Certificate, KernelCertificate, ViolationCertificate } from "./model/certificate.js";
export type { LinearClassifierJson, Scheme } from "./model/linear-classifier.js";
export type { LinearOneClassJson } from "./model/linear-one-class.js";
export type { LinearSvrJson } from "./model/linear-svr.js";
export type { PipelineJson } from "./model/pipeline.js";
export type { MaxAbsScalerJson, MinMaxScalerJson, NormalizerJson, StandardScalerJson } from "./model/scalers.js";
export type { ColumnsJson, ImputerJson, OneHotEncoderJson } from "./model/tables.js";
export type { HashingVectorizerJson, TfidfVectorizerJson } from "./model/text.js";
export { matrix, startPool, stopPool } from "./runtime/runtime.js";
export { certify } from "./select/audit.js";
export { calibrate } from "./select/calibrate.js";
export { type CrossValidation, crossValidate, type FoldResult } from "./select/cross-validate.js";
export type { FittedModel, Learner } from "./select/fold-rows.js";
export { logRange } from "./select/grid.js";
export { type LiblinearSearch, liblinearSearch } from "./select/liblinear-search.js";
export { type PathOptions, path, type RegressionPoint } from "./select/path.js";
export { type Search, type SearchResult, type Surface, search } from "./select/search.js";
export type { SolverName } from "./solve/plan.js";
export type { GapPoint, StageReport } from "./solve/stages.js";
