export {
  PipelineConnection,
  PipelineDialect,
  type PipelineDialectOptions,
  PipelineDriver,
  queryResultOf,
} from './dialect.ts';
export { FairSemaphore, Overdue } from './fair-semaphore.ts';
export { type Failure, isLostAfter, isStale, type Result, run, send } from './group.ts';
export { Pipeline, type PipelineOptions, type ReadOptions } from './pipeline.ts';
export { BEGIN, COMMIT, isControl, prepare, ROLLBACK, type Settings, type Statement, settingsOf } from './statement.ts';
