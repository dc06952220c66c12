#!/usr/bin/env node
import { runCommandLine } from '@repo/server-runtime/commands';
import { service } from './service.ts';

await runCommandLine(service);
