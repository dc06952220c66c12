import { runCommandLine } from '@petstore-platform/service/commands';
import { service } from './service.ts';

await runCommandLine(service);
