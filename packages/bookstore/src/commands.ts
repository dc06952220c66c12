/** The command line, for tests of the runtime, which does not depend on it. */
export { runCommandLine } from '@petstore-platform/service/commands';
export { addKeysCommands } from '@petstore-platform/service/keys-commands';
export { lacksOf, othersIn, tablesOf } from '@petstore-platform/service/write-tables';
