import { runCommandLine } from '@petstore-platform/server-runtime/commands';
import { service } from './service.ts';

await runCommandLine(service);
