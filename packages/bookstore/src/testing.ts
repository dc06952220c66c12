/** The tools of tests, for those of the runtime, which does not depend on them. */
export * from '@petstore-platform/service/testing';
