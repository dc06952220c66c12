// This program installs the runtimes before tests that use them run side by side.
import { installRuntimes } from './runtimes.ts';

installRuntimes();
