import { defineService } from '@petstore-platform/server-runtime';
import { articles } from './articles.ts';
import { comments } from './comments.ts';
import { errorBody } from './failures.ts';
import { contract } from './generated/contract.ts';
import { migrations } from './migrations.ts';
import { profiles } from './profiles.ts';
import { users } from './users.ts';

export const service = defineService({
  name: 'conduit',
  contract,
  handlers: { ...users, ...profiles, ...articles, ...comments },
  migrations,
  addressPlan: 'free',
  tokens: { issue: { seconds: 86_400 } },
  errorBody,
});
