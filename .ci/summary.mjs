// `N passed, N failed, N skipped` over the reports that each package's tests leave behind.
import { globSync, readFileSync } from 'node:fs';

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of globSync('{packages,apps}/*/test-results/*.json')) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests + report.numFailedTestSuites * (report.numFailedTests === 0);
  sum.skipped += report.numPendingTests;
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
