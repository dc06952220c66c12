export async function tryBackups() {}
