/** What changed between two versions of the contract, and what that means for the clients of each operation. */
import { compareBumps, type Direction, type Effect, type Finding, type Impact, impactOf } from './finding.ts';
import { describe } from './label.ts';
import { contentOf, headersOf, LEVELS, type Operation, operationsIn, parametersOf, stabilityOf } from './operations.ts';
import { deprecation } from './schema/deprecation.ts';
import { SchemaComparison } from './schema/schema.ts';
import { shapeOf, typesOf } from './schema/shape.ts';
import { compareSecurity } from './security.ts';
import { compareServers } from './servers.ts';
import type { Place, Source } from './source.ts';

export interface Change {
  impact: Impact;
  rule: string;
  /** The operations that it reaches, with the direction: `listPets (response)`. */
  operations: string[];
  /** In head, or in base if it was removed. */
  place: Place;
  message: string;
}

/** The message that a finding is about, and what the client does with it: webhooks and callbacks turn that round. */
interface Message {
  operation: Operation;
  kind: 'request' | 'response';
  direction: Direction;
}

export class Comparison {
  readonly #changes = new Map<string, Change>();
  readonly #schemas = { request: new SchemaComparison('request'), response: new SchemaComparison('response') };
  readonly base: Source;
  readonly head: Source;

  constructor(base: Source, head: Source) {
    this.base = base;
    this.head = head;
  }

  changes(): Change[] {
    this.#operations(this.base.root.at('paths'), this.head.root.at('paths'), 'operation', false);
    this.#operations(this.base.root.at('webhooks'), this.head.root.at('webhooks'), 'webhook', true);
    return [...this.#changes.values()];
  }

  #operations(base: Place, head: Place, kind: 'operation' | 'webhook' | 'callback', reversed: boolean): void {
    const [before, after] = [operationsIn(base, this.base.root), operationsIn(head, this.head.root)];
    const subject = kind === 'operation' ? '' : `The ${kind} `;
    for (const [key, old] of before) {
      const now = after.get(key);
      if (now) this.#operation(old, now, reversed);
      else
        this.#note(
          'major',
          `${kind}-removed`,
          old.place,
          `${subject}\`${old.title}\` was removed${announced(old)}.`,
          old,
          old,
        );
    }
    for (const [key, now] of after) {
      if (!before.has(key))
        this.#note('minor', `${kind}-added`, now.place, `${subject}\`${now.title}\` was added.`, now);
    }
  }

  #operation(old: Operation, now: Operation, reversed: boolean): void {
    const [sent, received] = reversed ? (['response', 'request'] as const) : (['request', 'response'] as const);
    const request: Message = { operation: old, kind: 'request', direction: sent };
    const response: Message = { operation: old, kind: 'response', direction: received };
    this.#identity(old, now);
    this.#parameters(old, now, request);
    this.#body(old.place.at('requestBody').follow(), now.place.at('requestBody').follow(), request);
    this.#responses(old.place.at('responses'), now.place.at('responses'), response);
    if (!reversed) {
      for (const finding of compareSecurity(old.place, now.place)) this.#add(finding, request, true);
      for (const { impact, rule, place, message } of compareServers(old, now))
        this.#note(impact, rule, place, message, now, old);
    }
    const [callbacks, newCallbacks] = [old.place.at('callbacks'), now.place.at('callbacks')];
    for (const name of new Set([...callbacks.entries(), ...newCallbacks.entries()].map(([key]) => key))) {
      this.#operations(callbacks.at(name).follow(), newCallbacks.at(name).follow(), 'callback', !reversed);
    }
  }

  /** What an operation is called, and how long it stays. */
  #identity(old: Operation, now: Operation): void {
    const [before, after] = [old.place.value, now.place.value];
    const at = (key: string) => (now.place.at(key).exists ? now.place.at(key) : old.place.at(key));
    if (before.operationId !== after.operationId) {
      const verb = before.operationId === undefined ? 'added' : after.operationId === undefined ? 'removed' : 'changed';
      const message =
        verb === 'changed'
          ? `\`${before.operationId}\` is now called \`${after.operationId}\`: the SDK's method has another name.`
          : `The operationId \`${after.operationId ?? before.operationId}\` was ${verb}.`;
      this.#note(verb === 'added' ? 'minor' : 'major', `operation-id-${verb}`, at('operationId'), message, old, old);
    }
    if (old.path !== now.path) {
      const names = (path: string) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      const [was, is] = [names(old.path), names(now.path)];
      for (const [index, name] of was.entries()) {
        if (name === is[index]) continue;
        const message = `The path parameter \`${name}\` is now called \`${is[index]}\`: the SDK's argument has another name.`;
        this.#note('major', 'path-parameter-renamed', now.item, message, old, old);
      }
    }
    for (const { rule, place } of deprecation([old.place], [now.place])) {
      const sunset = after['x-sunset'] ? ` It goes on ${after['x-sunset']}.` : '';
      const message = `\`${now.name}\` is ${rule === 'deprecated' ? `deprecated.${sunset}` : 'no longer deprecated.'}`;
      this.#note('minor', `operation-${rule}`, place, message, old);
    }
    for (const key of ['x-deprecated-at', 'x-sunset', 'x-replaced-by']) {
      if (!before.deprecated || !after.deprecated || JSON.stringify(before[key]) === JSON.stringify(after[key]))
        continue;
      const message = `\`${key}\` of \`${now.name}\` was changed.`;
      this.#note('patch', `${key.slice('x-'.length)}-changed`, at(key), message, old);
    }
    const [stable, unstable] = [stabilityOf(old), stabilityOf(now)];
    if (stable !== unstable) {
      const decreased = unstable < stable;
      const message = `\`${now.name}\` is ${LEVELS[unstable]}; it was ${LEVELS[stable]}.`;
      this.#note(
        decreased ? 'major' : 'minor',
        `stability-${decreased ? 'decreased' : 'increased'}`,
        at('x-stability'),
        message,
        old,
        old,
      );
    }
  }

  #parameters(old: Operation, now: Operation, message: Message): void {
    const [before, after] = [parametersOf(old), parametersOf(now)];
    for (const [key, place] of before) {
      const other = after.get(key);
      if (other) this.#parameter(place, other, message);
      else this.#found('parameter-removed', 'changed', place, `The ${describe(place)} was removed.`, message);
    }
    for (const [key, place] of after) {
      if (before.has(key)) continue;
      const required = place.value.required === true;
      const effect: Effect = message.direction === 'response' ? 'compatible' : required ? 'narrower' : 'wider';
      const text = `The ${describe(place)} was added${required ? ', required' : ''}.`;
      this.#found(`parameter-added${required ? '-required' : ''}`, effect, place, text, message);
    }
  }

  #parameter(old: Place, now: Place, message: Message): void {
    const subject = `The ${describe(now)}`;
    this.#required('parameter', subject, old, now, message);
    const hasParts = mayHaveParts(old) || mayHaveParts(now);
    const [before, after] = [serialization(old, hasParts), serialization(now, hasParts)];
    if (before !== after) {
      const text = `${subject} is written another way in the request: ${after}; it was ${before}.`;
      this.#found('parameter-serialization-changed', 'changed', now, text, message);
    }
    const empty = (place: Place) => place.value.allowEmptyValue === true;
    if (empty(old) !== empty(now)) {
      const rule = `parameter-empty-value-${empty(now) ? 'allowed' : 'disallowed'}`;
      this.#found(
        rule,
        empty(now) ? 'wider' : 'narrower',
        now,
        `${subject} may ${empty(now) ? 'now' : 'no longer'} be empty.`,
        message,
      );
    }
    const [document, newDocument] = [old.at('content').exists, now.at('content').exists];
    if (document && newDocument) this.#content(old, now, 'parameter', message);
    else if (!document && !newDocument) this.#schema(old, now, message);
    for (const finding of deprecation([old], [now])) {
      this.#add({ ...finding, rule: `parameter-${finding.rule}` }, message);
    }
  }

  #required(thing: string, subject: string, old: Place, now: Place, message: Message): void {
    const required = now.value.required === true;
    if ((old.value.required === true) === required) return;
    const place = now.at('required').exists ? now.at('required') : now;
    const text = `${subject} is ${required ? 'now required' : 'no longer required'}.`;
    this.#found(
      `${thing}-became-${required ? 'required' : 'optional'}`,
      required ? 'narrower' : 'wider',
      place,
      text,
      message,
    );
  }

  #schema(old: Place, now: Place, message: Message): void {
    const [before, after] = [old.at('schema'), now.at('schema')].map((place) => (place.exists ? [place] : []));
    for (const finding of this.#schemas[message.direction].compare(before ?? [], after ?? []))
      this.#add(finding, message);
  }

  #body(old: Place, now: Place, message: Message): void {
    if (old.exists && now.exists) {
      this.#required('body', 'The request body', old, now, message);
      this.#content(old, now, 'body', message);
    } else if (old.exists) {
      this.#found('body-removed', 'changed', old, 'The request body was removed.', message);
    } else if (now.exists) {
      const required = now.value.required === true;
      const effect: Effect = message.direction === 'response' ? 'compatible' : required ? 'narrower' : 'wider';
      const rule = `body-added-${required ? 'required' : 'optional'}`;
      this.#found(rule, effect, now, `A request body was added${required ? ', required' : ''}.`, message);
    }
  }

  #content(old: Place, now: Place, thing: string, message: Message): void {
    const [before, after] = [contentOf(old), contentOf(now)];
    const receives = message.direction === 'response';
    for (const [type, place] of before) {
      const other = after.get(type) ?? (receives ? undefined : rangeOver(type, after));
      if (other === undefined) {
        const text = `${describe(old)} no longer has the content type \`${type}\`.`;
        this.#found(`${thing}-media-type-removed`, receives ? 'changed' : 'narrower', place, capital(text), message);
        continue;
      }
      this.#schema(place, other, message);
      const [encoding, newEncoding] = [place.at('encoding'), other.at('encoding')];
      if (JSON.stringify(encoding.value) === JSON.stringify(newEncoding.value)) continue;
      const at = newEncoding.exists ? newEncoding : encoding;
      this.#found(
        `${thing}-encoding-changed`,
        'changed',
        at,
        `How the parts of ${describe(now)} are encoded was changed.`,
        message,
      );
    }
    for (const [type, place] of after) {
      if (before.has(type) || rangeOver(type, before)) continue;
      const text = `${describe(now)} also has the content type \`${type}\`.`;
      this.#found(`${thing}-media-type-added`, receives ? 'compatible' : 'wider', place, capital(text), message);
    }
  }

  #responses(old: Place, now: Place, message: Message): void {
    const receives = message.direction === 'response';
    const statuses = (place: Place) => new Map(place.entries().filter(([status]) => !status.startsWith('x-')));
    const [before, after] = [statuses(old), statuses(now)];
    const range = (status: string) => `${status[0]}XX`;
    for (const [status, reference] of before) {
      const other = after.get(status) ?? after.get(range(status));
      // A range may give way to some of its statuses.
      const within = [...after].filter(([key]) => status === range(key)).map(([, place]) => place);
      const others = other ? [other] : within;
      for (const place of others) this.#response(reference.follow(), place.follow(), message);
      if (others.length === 0) {
        const rule = `${isSuccess(status) ? 'success-' : ''}status-removed`;
        const text = `The ${status} response was removed.`;
        this.#found(rule, receives ? 'changed' : 'narrower', reference, text, message);
      }
    }
    for (const [status, reference] of after) {
      if (before.has(status) || before.has(range(status))) continue;
      if ([...before.keys()].some((key) => range(key) === status)) {
        // A range in place of some of its statuses.
        const text = `Any ${status} status may be answered, not only those listed before.`;
        this.#found(
          'status-range-added',
          receives && isSuccess(status) ? 'wider' : 'compatible',
          reference,
          text,
          message,
        );
        continue;
      }
      if (!isSuccess(status)) {
        this.#found(
          'status-added',
          receives ? 'compatible' : 'wider',
          reference,
          `The ${status} response was added.`,
          message,
        );
        continue;
      }
      // The SDK's method resolves to whatever a success may carry: another shape widens its type.
      const known = [...before].filter(([key]) => isSuccess(key)).map(([, place]) => place.follow());
      const fits = known.some((place) => this.#sameBody(place, reference.follow()));
      const effect: Effect = receives && fits ? 'compatible' : 'wider';
      this.#found(
        'success-status-added',
        effect,
        reference,
        `The ${status} response was added${fits ? '' : ', with a body of its own'}.`,
        message,
      );
    }
  }

  #sameBody(old: Place, now: Place): boolean {
    const [before, after] = [contentOf(old), contentOf(now)];
    if (before.size !== after.size) return false;
    return [...before].every(([type, place]) => {
      const other = after.get(type);
      return (
        other !== undefined && this.#schemas.response.compare([place.at('schema')], [other.at('schema')]).length === 0
      );
    });
  }

  #response(old: Place, now: Place, message: Message): void {
    this.#content(old, now, 'body', message);
    const receives = message.direction === 'response';
    const [before, after] = [headersOf(old), headersOf(now)];
    for (const [name, place] of before) {
      const other = after.get(name);
      if (other === undefined) {
        const text = `${capital(describe(place))} of ${describe(old)} was removed.`;
        this.#found('header-removed', 'changed', place, text, message);
        continue;
      }
      const [header, newHeader] = [place.follow(), other.follow()];
      this.#required('header', capital(describe(newHeader)), header, newHeader, message);
      this.#schema(header, newHeader, message);
    }
    for (const [name, place] of after) {
      if (before.has(name)) continue;
      const effect: Effect = receives ? 'compatible' : place.follow().value.required === true ? 'narrower' : 'wider';
      this.#found('header-added', effect, place, `${capital(describe(place))} of ${describe(now)} was added.`, message);
    }
  }

  #found(rule: string, effect: Effect, place: Place, text: string, message: Message): void {
    this.#add({ rule, effect, place, message: text }, message);
  }

  #add(finding: Finding, { operation, kind, direction }: Message, plain = false): void {
    const impact = exempted(impactOf(finding.effect, direction), operation);
    const rule = plain ? finding.rule : `${kind}-${finding.rule}`;
    const label = plain ? operation.name : `${operation.name} (${kind})`;
    this.#merge({ impact, rule, operations: [label], place: finding.place, message: finding.message }, finding.rule);
  }

  /** A change of an operation itself. `old`: what a marker of instability in the base exempts. */
  #note(impact: Impact, rule: string, place: Place, message: string, operation: Operation, old?: Operation): void {
    this.#merge(
      { impact: old ? exempted(impact, old) : impact, rule, operations: [operation.name], place, message },
      rule,
    );
  }

  /** One change for all operations that a place is shared by, rated by the one that it hits hardest. */
  #merge(change: Change, rule: string): void {
    const key = `${change.place.id} ${rule}`;
    const known = this.#changes.get(key);
    if (known === undefined) {
      this.#changes.set(key, { ...change, message: capital(change.message) });
      return;
    }
    const operations = [...new Set([...known.operations, ...change.operations])];
    const order = compareBumps(known.impact, change.impact) || change.rule.localeCompare(known.rule);
    const worse = order < 0 ? change : known;
    this.#changes.set(key, { ...worse, message: capital(worse.message), operations });
  }
}

/** `x-stability: experimental` promises nothing: a change that would break is only news. */
function exempted(impact: Impact, base: Operation): Impact {
  return impact === 'major' && base.place.value?.['x-stability'] === 'experimental' ? 'minor' : impact;
}

function announced({ place: { value } }: Operation): string {
  return value.deprecated === true && value['x-sunset'] ? `, as announced for ${value['x-sunset']}` : '';
}

/** How a parameter becomes text, with the defaults written out (OpenAPI 3.1, Parameter Object). */
function serialization({ value }: Place, hasParts: boolean): string {
  const { in: where, style, explode, allowReserved, content } = value;
  if (content !== undefined) return 'as a document';
  const shown = style ?? (where === 'query' || where === 'cookie' ? 'form' : 'simple');
  const parts = [`style \`${shown}\``];
  if (hasParts && (explode ?? shown === 'form')) parts.push('exploded');
  if (allowReserved === true) parts.push('reserved characters as they are');
  return parts.join(', ');
}

/** Only lists and objects have parts to keep together or apart. */
function mayHaveParts(parameter: Place): boolean {
  const types = typesOf(shapeOf([parameter.at('schema')]));
  return types.size < 7 && (types.has('array') || types.has('object'));
}

const isSuccess = (status: string) => status.startsWith('2');

/** The media type range among `types` that takes a type in. */
function rangeOver(type: string, types: Map<string, Place>): Place | undefined {
  return types.get(`${type.split('/')[0]}/*`) ?? types.get('*/*');
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
