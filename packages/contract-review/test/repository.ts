/** A repository of a foreign team. */
import { fileURLToPath } from 'node:url';
import { run } from '../src/cli.ts';
import { GitFolder } from './folder.ts';

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

export class Repository extends GitFolder {
  constructor(files: Record<string, string> = { [FILE]: SHOP }) {
    super(FILE, files);
    this.init();
  }

  review(...args: string[]) {
    return this.runHere(() => run(args));
  }

  reviewProcess(args: string[], variables?: Record<string, string>) {
    return this.run(process.execPath, [MAIN, ...args], variables);
  }
}
