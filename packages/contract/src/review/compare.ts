/** What changed between two versions of the contract, and what that means for the clients of each operation. */
import { Changes, type Message, type Note } from './changes.ts';
import { type Direction, type Effect, type Finding, finding } from './finding.ts';
import { compareIdentity } from './identity.ts';
import { MessageComparison } from './message.ts';
import { type Operation, operationsIn, paired } from './operations.ts';
import type { Place } from './place.ts';
import { comparePlans } from './plans.ts';
import { compareSecurity } from './security.ts';
import { compareServers, serverWords } from './servers.ts';
import type { Source } from './source.ts';
import { wordsOf } from './words.ts';

type Kind = 'operation' | 'webhook' | 'callback';

export class Comparison {
  readonly changes = new Changes();
  readonly messages: MessageComparison;
  readonly #base: Place;
  readonly #head: Place;

  /** @param gone - what to tell of component schemas that head no longer has, by the id of their place in base */
  constructor(base: Source, head: Source, gone: ReadonlyMap<string, Finding>) {
    this.#base = base.root;
    this.#head = head.root;
    this.messages = new MessageComparison(this.changes, gone);
  }

  compare(): void {
    this.#operations(this.#base.at('paths'), this.#head.at('paths'), 'operation', false);
    this.#operations(this.#base.at('webhooks'), this.#head.at('webhooks'), 'webhook', true);
    comparePlans(this.#base, this.#head, (...change) => this.changes.note(...change));
    for (const { rule, place, message } of this.#words()) this.changes.note('patch', rule, place, message);
  }

  #operations(base: Place, head: Place, kind: Kind, isReversed: boolean): void {
    const subject = kind === 'operation' ? '' : `The ${kind} `;
    for (const [, old, now] of paired(operationsIn(base, this.#base), operationsIn(head, this.#head))) {
      if (old && now) this.#operation(old, now, kind, isReversed);
      else if (old) {
        const message = `${subject}\`${old.title}\` was removed${announced(old)}.`;
        this.changes.note('major', `${kind}-removed`, old.place, message, old);
      } else if (now)
        this.changes.note('minor', `${kind}-added`, now.place, `${subject}\`${now.title}\` was added.`, now);
    }
  }

  #operation(old: Operation, now: Operation, kind: Kind, isReversed: boolean): void {
    const [sent, received] = isReversed ? (['response', 'request'] as const) : (['request', 'response'] as const);
    const [before, after] = [old.place, now.place];
    const messageOf = (kind: 'request' | 'response', direction: Direction): Message => {
      return { operation: old, head: after, kind, direction, label: `${old.name} (${kind})` };
    };
    const [request, response] = [messageOf('request', sent), messageOf('response', received)];
    const note: Note = (...change) => this.changes.note(...change, old);
    compareIdentity(old, now, kind === 'callback', note);
    for (const { rule, place, message } of [...wordsOf([before], [after]), ...wordsOf([old.item], [now.item])])
      note('patch', rule, place, message);
    this.messages.parameters(old, now, request);
    this.messages.body(before.at('requestBody').follow(), after.at('requestBody').follow(), request);
    this.#responses(before.at('responses'), after.at('responses'), response);
    if (!isReversed) {
      compareSecurity(before, after, note);
      compareServers(old, now, note);
    }
    const [callbacks, newCallbacks] = [before.at('callbacks'), after.at('callbacks')];
    for (const [name] of paired(new Map(callbacks.entries()), new Map(newCallbacks.entries())))
      this.#operations(callbacks.at(name).follow(), newCallbacks.at(name).follow(), 'callback', !isReversed);
  }

  #responses(old: Place, now: Place, message: Message): void {
    const receives = message.direction === 'response';
    const [before, after] = [statusesOf(old), statusesOf(now)];
    const found = (rule: string, effect: Effect, place: Place, text: string) =>
      this.changes.found(finding(rule, effect, place, text), message);
    for (const [status, reference] of before) {
      const other = after.get(status) ?? after.get(rangeOf(status));
      // A range may give way to some of its statuses.
      const within = [...after].filter(([key]) => status === rangeOf(key)).map(([, place]) => place);
      const others = other ? [other] : within;
      for (const place of others) this.messages.response(reference.follow(), place.follow(), message);
      if (others.length > 0) continue;
      const rule = `${isSuccess(status) ? 'success-' : ''}status-removed`;
      found(rule, receives ? 'changed' : 'narrower', reference, `The ${status} response was removed.`);
    }
    for (const [status, reference] of after) {
      const range = rangeOf(status);
      // A range that gave way to this status is compared with it above.
      if (before.has(status) || (before.has(range) && !after.has(range))) continue;
      // Until now the range had it, or else the default (OpenAPI 3.1, Responses Object), which is not for a success
      // where others are listed.
      const isDefault = status !== 'default' && !(isSuccess(status) && [...before.keys()].some(isSuccess));
      const covering = before.get(range) ?? (isDefault ? before.get('default') : undefined);
      if (covering) this.messages.response(covering.follow(), reference.follow(), { ...message, isNew: true });
      if ([...before.keys()].some((key) => rangeOf(key) === status)) {
        // A range in place of some of its statuses.
        const text = `Any ${status} status may be answered, not only those listed before.`;
        found('status-range-added', receives && isSuccess(status) ? 'wider' : 'compatible', reference, text);
      } else if (!isSuccess(status) || before.has(range)) {
        found('status-added', receives ? 'compatible' : 'wider', reference, `The ${status} response was added.`);
      } else {
        // The SDK's method resolves to whatever a success may carry: another shape widens its type.
        const known = [...before].filter(([key]) => isSuccess(key)).map(([, place]) => place.follow());
        const fits = known.some((place) => this.messages.hasSameBody(place, reference.follow()));
        const text = `The ${status} response was added${fits ? '' : ', with a body of its own'}.`;
        found('success-status-added', receives && fits ? 'compatible' : 'wider', reference, text);
      }
    }
  }

  /** The words of the document itself, and of components that no operation refers to. */
  *#words(): Generator<Finding> {
    const [base, head] = [this.#base, this.#head];
    yield* wordsOf([base, base.at('info')], [head, head.at('info')]);
    yield* serverWords(base.at('servers'), head.at('servers'));
    for (const [section, place] of head.at('components').entries()) {
      if (section === 'schemas') continue;
      for (const [name, component] of place.entries()) {
        const old = base.at('components', section, name);
        if (old.exists) yield* wordsOf([old], [component]);
      }
    }
  }
}

function announced({ place: { value } }: Operation): string {
  return value.deprecated === true && value['x-sunset'] ? `, as announced for ${value['x-sunset']}` : '';
}

const statusesOf = (responses: Place) => new Map(responses.entries().filter(([status]) => !status.startsWith('x-')));

const rangeOf = (status: string) => `${status[0]}XX`;

const isSuccess = (status: string) => status.startsWith('2');
