// This script brings the suite into a page.
import { runSuite } from './suite.ts';

Object.assign(globalThis, { runSuite });
