import type { NextConfig } from 'next';

export default {
  // As in a new project.
  cacheComponents: true,
  partialPrefetching: true,
} satisfies NextConfig;
