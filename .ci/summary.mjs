// `N passed, N failed, N skipped`: the tests of all packages, by the reports that they leave, and the checks around them.
import { globSync, readFileSync } from 'node:fs';

const [passed, failed] = process.argv.slice(2).map(Number);
const sum = { passed, failed, skipped: 0 };
for (const file of globSync('{packages,apps}/*/test-results/*.json')) {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'));
  sum.passed += numPassedTests;
  sum.failed += numFailedTests;
  sum.skipped += numPendingTests;
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
