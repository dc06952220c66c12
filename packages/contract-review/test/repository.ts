/** A temporary git repository of a foreign team: its contract on `main`, and the branch `change`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export const FILE = 'openapi/shop.yaml';

export const SHOP = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: https://shop.example/v1 }]
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
      responses:
        '200': { description: Orders, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } } }
    post:
      operationId: createOrder
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewOrder' } } } }
      responses: { '201': { description: Created, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: The order, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
components:
  schemas:
    Order:
      type: object
      required: [id, status]
      properties:
        id: { type: string }
        status: { type: string, enum: [open, sent] }
        note: { type: string, maxLength: 100 }
    NewOrder:
      type: object
      required: [item]
      properties:
        item: { type: string, maxLength: 50 }
`;

export class Repository {
  readonly root = mkdtempSync(join(tmpdir(), 'contract-foreign-'));

  constructor(files: Record<string, string> = { [FILE]: SHOP }) {
    for (const [file, text] of Object.entries(files)) this.write(file, text);
    this.git('init', '--quiet', '--initial-branch=main');
    this.commit('Base');
    this.git('switch', '--quiet', '--create', 'change');
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  read(file = FILE): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  write(file: string, text: string): string {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    writeFileSync(join(this.root, file), text);
    return join(this.root, file);
  }

  /** Replaces text of the contract; fails if it is absent. */
  replace(from: string, to: string, file = FILE): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
    this.write(
      file,
      text.replaceAll(from, () => to),
    );
  }

  commit(message = 'Change'): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  git(...args: string[]): string {
    const settings = ['user.name=Reviewer', 'user.email=reviewer@shop.example', 'commit.gpgsign=false'];
    const options = settings.flatMap((setting) => ['-c', setting]);
    return execFileSync('git', [...options, ...args], { cwd: this.root, encoding: 'utf8' });
  }

  review(...args: string[]) {
    return this.run(process.execPath, [MAIN, ...args]);
  }

  run(command: string, args: string[], variables: Record<string, string> = {}) {
    const env = { ...process.env, NODE_OPTIONS: '', GITHUB_ACTIONS: '', ...variables };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: this.root, encoding: 'utf8', env });
    return { status, stdout, stderr };
  }
}
