/** Express with express-openapi-validator, and express-rate-limit in memory. */
import { rateLimit } from 'express-rate-limit';
import { serve } from './express.ts';

serve(
  rateLimit({ windowMs: 60_000, limit: 1_000_000_000, keyGenerator: (request) => request.get('Authorization') ?? '' }),
);
