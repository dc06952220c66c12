// Prints failures, then `N passed, N failed, N skipped`: the tests of all packages and the checks of .ci/check.mjs, from their reports.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const KINDS = 4;

const sum = { passed: 0, failed: 0, skipped: 0 };
const checks = globSync('test-results/check-*.json');
for (const file of checks) {
  const { passed, failed } = JSON.parse(readFileSync(file, 'utf8'));
  sum.passed += passed;
  sum.failed += failed;
}
// A check that was killed has no report.
sum.failed += KINDS - checks.length;
for (const file of globSync('{{packages,apps}/*,examples/realworld,test}/test-results/*.json')) {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  sum.passed += numPassedTests;
  sum.failed += numFailedTests;
  sum.skipped += numPendingTests;
  for (const { name, message, assertionResults } of testResults) {
    if (message) console.log(`\nfailed: ${path.relative('.', name)}\n${message}`);
    for (const { fullName, status, failureMessages } of assertionResults) {
      if (status === 'failed')
        console.log(`\nfailed: ${path.relative('.', name)}: ${fullName}\n${failureMessages.join('\n')}`);
    }
  }
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
