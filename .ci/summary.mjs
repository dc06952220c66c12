// Prints failures, then `N passed, N failed, N skipped`: the tests of all packages, from their reports, and the checks of .ci/run.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [passed, failed] = process.argv.slice(2).map(Number);
const sum = { passed, failed, skipped: 0 };
for (const file of globSync('{{packages,apps}/*,test}/test-results/*.json')) {
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
