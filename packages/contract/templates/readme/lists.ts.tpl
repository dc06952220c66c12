for await (const item of {{listCall}}) console.log(item);

const page = {{listCall}};
const { data, nextCursor, requestId, rateLimit } = await page.withResponse();
console.log(data.length, nextCursor, requestId, rateLimit?.remaining);
