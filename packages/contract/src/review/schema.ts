import type { Direction, Effect, Finding } from './finding.ts';
import { compareKeywords, kebab } from './keywords.ts';
import { describe } from './label.ts';
import { alternativesOf, having, isChoice, type Shape, shapeOf, typesOf, valuesOf } from './shape.ts';
import type { Place } from './source.ts';

/** Keywords that hold one schema for a part of the value. Without the keyword, any such part goes. */
const PARTS = ['propertyNames', 'contains', 'contentSchema', 'unevaluatedItems'];

/**
 * What changed between two versions of a schema, as the client sees it that sends or receives the value.
 *
 * The same schema may be compared from many places; each pair is compared once.
 */
export class SchemaComparison {
  readonly direction: Direction;
  readonly #known = new Map<string, Finding[]>();

  constructor(direction: Direction) {
    this.direction = direction;
  }

  /** @param base - the places that form the schema; none stands for a schema that allows anything. */
  compare(base: readonly Place[], head: readonly Place[]): Finding[] {
    const key = [base, head].map((places) => places.map(({ id }) => id).join(' ')).join(' | ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // A schema that contains itself: what is being compared counts as equal until a difference turns up.
    this.#known.set(key, []);
    const findings = this.#shapes(shapeOf(base), shapeOf(head));
    this.#known.set(key, findings);
    return findings;
  }

  #shapes(base: Shape, head: Shape): Finding[] {
    const origin = head.origin ?? base.origin;
    if (origin === undefined) return [];
    if (base.never !== head.never) {
      const rule = head.never ? 'schema-forbidden' : 'schema-allowed';
      const message = `${describe(origin)} is ${head.never ? 'no longer' : 'now'} allowed.`;
      return [{ rule, effect: head.never ? 'narrower' : 'wider', place: origin, message }];
    }
    const choice = this.#choices(base, head);
    if (choice.instead) return choice.findings;
    const types = this.#types(base, head, origin);
    if (types.some(({ rule }) => rule === 'type-changed')) return types;
    return [
      ...types,
      ...choice.findings,
      ...this.#values(base, head),
      ...this.#knownValues(base, head),
      ...compareKeywords(base, head),
      ...this.#object(base, head),
      ...this.#array(base, head),
      ...PARTS.flatMap((keyword) => this.#part(keyword, base, head)),
      ...this.#not(base, head),
      ...this.#condition(base, head),
      ...this.#discriminator(base, head),
      ...this.#default(base, head),
    ];
  }

  #types(base: Shape, head: Shape, origin: Place): Finding[] {
    // What a choice allows is told by its alternatives.
    const [before, after] = [typesOf(base, false), typesOf(head, false)];
    const place = having(head, 'type')[0] ?? having(base, 'type')[0] ?? origin;
    const words = (types: Set<string>) =>
      types.size === 7
        ? 'any type'
        : [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ');
    const subject = describe(place === origin ? origin : place.parent);
    const message = `${subject} is ${words(after)}; it was ${words(before)}.`;
    const [lost, gained] = [before.difference(after), after.difference(before)];
    if (lost.size === 0 && gained.size === 0) return [];
    if (gained.size === 0) {
      return [
        {
          rule: [...lost].join() === 'null' ? 'became-not-nullable' : 'type-narrowed',
          effect: 'narrower',
          place,
          message,
        },
      ];
    }
    if (lost.size === 0) {
      return [
        { rule: [...gained].join() === 'null' ? 'became-nullable' : 'type-widened', effect: 'wider', place, message },
      ];
    }
    return [{ rule: 'type-changed', effect: 'changed', place, message }];
  }

  #values(base: Shape, head: Shape): Finding[] {
    const [before, after] = [valuesOf(base), valuesOf(head)];
    const place =
      having(head, 'enum')[0] ?? having(head, 'const')[0] ?? having(base, 'enum')[0] ?? having(base, 'const')[0];
    if (place === undefined) return [];
    const subject = describe(place.parent);
    const list = (values: Iterable<string>) =>
      [...values].map((value) => `\`${value.replace(/^"(.*)"$/, '$1')}\``).join(', ');
    if (before === undefined && after !== undefined) {
      // A closed list in place of an open one is told by that.
      if (having(base, 'x-extensible-enum').length > 0) return [];
      const message = `${subject} is limited to ${list(after)}.`;
      return [
        { rule: having(head, 'enum').length > 0 ? 'became-enum' : 'const-added', effect: 'narrower', place, message },
      ];
    }
    if (before !== undefined && after === undefined) {
      if (having(head, 'x-extensible-enum').length > 0) return [];
      const message = `${subject} is no longer limited to ${list(before)}.`;
      return [
        { rule: having(base, 'enum').length > 0 ? 'enum-removed' : 'const-removed', effect: 'wider', place, message },
      ];
    }
    if (before === undefined || after === undefined) return [];
    const [lost, gained] = [before.difference(after), after.difference(before)];
    const constant = having(head, 'const').length > 0 && having(base, 'const').length > 0;
    if (constant && lost.size > 0) {
      return [
        {
          rule: 'const-changed',
          effect: 'changed',
          place,
          message: `${subject} is ${list(after)}; it was ${list(before)}.`,
        },
      ];
    }
    const findings: Finding[] = [];
    if (lost.size > 0) {
      findings.push({
        rule: 'enum-value-removed',
        effect: 'narrower',
        place,
        message: `${subject} lost ${list(lost)}.`,
      });
    }
    if (gained.size > 0) {
      findings.push({
        rule: 'enum-value-added',
        effect: 'wider',
        place,
        message: `${subject} gained ${list(gained)}${this.direction === 'response' ? ': who handles every value meets one more' : ''}.`,
      });
    }
    return findings;
  }

  /** `x-extensible-enum`: the SDK types it as these values or any string, so a client is ready for one more. */
  #knownValues(base: Shape, head: Shape): Finding[] {
    const [before, after] = [having(base, 'x-extensible-enum')[0], having(head, 'x-extensible-enum')[0]];
    const place = after ?? before;
    if (place === undefined) return [];
    const subject = describe(place.parent);
    if (after === undefined) {
      return valuesOf(head) === undefined
        ? [
            {
              rule: 'extensible-enum-removed',
              effect: 'compatible',
              place,
              message: `${subject} no longer lists the values known.`,
            },
          ]
        : [
            {
              rule: 'extensible-enum-became-closed',
              effect: 'narrower',
              place,
              message: `${subject} is limited to the values listed.`,
            },
          ];
    }
    if (before === undefined) {
      return valuesOf(base) === undefined
        ? [
            {
              rule: 'extensible-enum-added',
              effect: 'compatible',
              place,
              message: `${subject} lists the values known.`,
            },
          ]
        : [
            {
              rule: 'enum-became-extensible',
              effect: 'wider',
              place,
              message: `${subject} may have values that are not listed.`,
            },
          ];
    }
    const values = ({ value }: Place) => new Set<string>(Array.isArray(value) ? value : []);
    const lost = values(before).difference(values(after));
    const gained = values(after).difference(values(before));
    const list = (names: Set<string>) => [...names].map((name) => `\`${name}\``).join(', ');
    const findings: Finding[] = [];
    if (lost.size > 0) {
      findings.push({
        rule: 'extensible-enum-value-removed',
        effect: 'narrower',
        place,
        message: `${subject} lost the known value ${list(lost)}.`,
      });
    }
    if (gained.size > 0) {
      findings.push({
        rule: 'extensible-enum-value-added',
        effect: 'compatible',
        place,
        message: `${subject} gained the known value ${list(gained)}.`,
      });
    }
    return findings;
  }

  #object(base: Shape, head: Shape): Finding[] {
    const types = typesOf(base).union(typesOf(head));
    if (!types.has('object')) return [];
    return [
      ...this.#properties(base, head),
      ...this.#additional('additionalProperties', base, head),
      ...this.#additional('unevaluatedProperties', base, head),
      ...this.#patternProperties(base, head),
      ...this.#dependentRequired(base, head),
      ...this.#dependentSchemas(base, head),
    ];
  }

  #properties(base: Shape, head: Shape): Finding[] {
    const findings: Finding[] = [];
    const [before, after] = [mapOf('properties', base), mapOf('properties', head)];
    const [neededBefore, neededAfter] = [requiredOf(base), requiredOf(head)];
    for (const name of new Set([...before.keys(), ...after.keys(), ...neededBefore.keys(), ...neededAfter.keys()])) {
      const [old, now] = [before.get(name), after.get(name)];
      const [hiddenBefore, hiddenAfter] = [this.#isHidden(old), this.#isHidden(now)];
      const [wasRequired, isRequired] = [
        neededBefore.has(name) && !hiddenBefore,
        neededAfter.has(name) && !hiddenAfter,
      ];
      const wasThere = old !== undefined && !hiddenBefore;
      const isThere = now !== undefined && !hiddenAfter;
      const place = now?.[0] ?? old?.[0] ?? neededAfter.get(name) ?? neededBefore.get(name);
      if (place === undefined) continue;
      const subject = old || now ? describe(place) : `\`${name}\` in ${describe(place.parent)}`;
      if (wasThere && !isThere) {
        const flag = this.direction === 'request' ? 'read-only' : 'write-only';
        const rule = hiddenAfter ? `property-became-${flag}` : 'property-removed';
        const end = this.direction === 'request' ? 'can no longer be sent' : 'is no longer returned';
        findings.push({ rule, effect: 'changed', place, message: `${subject} ${hiddenAfter ? end : 'was removed'}.` });
        continue;
      }
      if (!wasThere && isThere) {
        const effect: Effect =
          this.direction === 'response' ? 'compatible' : isRequired && !wasRequired ? 'narrower' : 'wider';
        const rule = isRequired && !wasRequired ? 'property-added-required' : 'property-added';
        findings.push({ rule, effect, place, message: `${subject} was added${isRequired ? ', required' : ''}.` });
        continue;
      }
      if (wasRequired !== isRequired && hiddenBefore === hiddenAfter) {
        const rule = `property-became-${isRequired ? 'required' : 'optional'}`;
        const at = neededAfter.get(name) ?? neededBefore.get(name) ?? place;
        const message = `${subject} is ${isRequired ? 'now required' : 'no longer required'}.`;
        findings.push({ rule, effect: isRequired ? 'narrower' : 'wider', place: at, message });
      }
      if (wasThere && isThere) {
        findings.push(...this.compare(old, now), ...deprecation(old, now));
      }
    }
    return findings;
  }

  /** A client never sends what is read-only, and never receives what is write-only. */
  #isHidden(property: Place[] | undefined): boolean {
    if (property === undefined) return false;
    const flag = this.direction === 'request' ? 'readOnly' : 'writeOnly';
    return having(shapeOf(property), flag).some(({ value }) => value === true);
  }

  #additional(keyword: string, base: Shape, head: Shape): Finding[] {
    const [old, now] = [having(base, keyword), having(head, keyword)];
    const [before, after] = [opennessOf(old), opennessOf(now)];
    const place = now[0] ?? old[0];
    if (place === undefined) return [];
    const subject = describe(place.parent);
    const stem = kebab(keyword);
    if (after === 'closed' && before !== 'closed') {
      return [
        {
          rule: `${stem}-disallowed`,
          effect: 'narrower',
          place,
          message: `${subject} no longer takes properties that are not listed.`,
        },
      ];
    }
    if (before === 'closed' && after !== 'closed') {
      return [
        {
          rule: `${stem}-allowed`,
          effect: 'wider',
          place,
          message: `${subject} may have properties that are not listed.`,
        },
      ];
    }
    if (before === after) return before === 'limited' ? this.compare(old, now) : [];
    const effect = after === 'limited' ? 'narrower' : 'wider';
    return [
      {
        rule: `${stem}-${effect === 'wider' ? 'widened' : 'narrowed'}`,
        effect,
        place,
        message: `${subject}: what properties that are not listed may hold is ${effect}.`,
      },
    ];
  }

  #patternProperties(base: Shape, head: Shape): Finding[] {
    const closed = (shape: Shape) => opennessOf(having(shape, 'additionalProperties')) === 'closed';
    return compareMaps(mapOf('patternProperties', base), mapOf('patternProperties', head), (name, old, now) => {
      if (old && now) return this.compare(old, now);
      // In an open object a pattern limits what may be there; in a closed one it is what may be there.
      const effect: Effect = (now === undefined) === closed(old ? base : head) ? 'narrower' : 'wider';
      const place = (now ?? old)?.[0] as Place;
      const rule = `pattern-property-${now ? 'added' : 'removed'}`;
      return [
        {
          rule,
          effect,
          place,
          message: `The rule for properties named like \`${name}\` was ${now ? 'added' : 'removed'}.`,
        },
      ];
    });
  }

  #dependentRequired(base: Shape, head: Shape): Finding[] {
    return compareMaps(mapOf('dependentRequired', base), mapOf('dependentRequired', head), (name, old, now) => {
      const names = (places: Place[] | undefined) => new Set((places ?? []).flatMap(({ value }) => value as string[]));
      const [lost, gained] = [names(old).difference(names(now)), names(now).difference(names(old))];
      const place = (now ?? old)?.[0] as Place;
      const list = (properties: Set<string>) => [...properties].map((property) => `\`${property}\``).join(', ');
      const findings: Finding[] = [];
      if (gained.size > 0) {
        findings.push({
          rule: 'dependent-required-added',
          effect: 'narrower',
          place,
          message: `\`${name}\` now requires ${list(gained)}.`,
        });
      }
      if (lost.size > 0) {
        findings.push({
          rule: 'dependent-required-removed',
          effect: 'wider',
          place,
          message: `\`${name}\` no longer requires ${list(lost)}.`,
        });
      }
      return findings;
    });
  }

  #dependentSchemas(base: Shape, head: Shape): Finding[] {
    return compareMaps(mapOf('dependentSchemas', base), mapOf('dependentSchemas', head), (name, old, now) =>
      old && now
        ? this.compare(old, now)
        : this.#limit('dependent-schema', `What goes together with \`${name}\``, old ?? [], now ?? []),
    );
  }

  #array(base: Shape, head: Shape): Finding[] {
    if (!typesOf(base).union(typesOf(head)).has('array')) return [];
    const [oldItems, newItems] = [having(base, 'items'), having(head, 'items')];
    const tuple = (shape: Shape) => having(shape, 'prefixItems')[0]?.items() ?? [];
    const [oldTuple, newTuple] = [tuple(base), tuple(head)];
    const findings: Finding[] = [];
    for (let index = 0; index < Math.max(oldTuple.length, newTuple.length); index++) {
      const [old, now] = [oldTuple[index], newTuple[index]];
      const [before, after] = [old ? [old] : oldItems, now ? [now] : newItems];
      if (old && now) findings.push(...this.compare(before, after));
      else findings.push(...this.#limit('prefix-items', `Item ${index + 1}`, before, after, now === undefined));
    }
    const isTuple = oldTuple.length + newTuple.length > 0;
    if (oldItems.length > 0 && newItems.length > 0) findings.push(...this.compare(oldItems, newItems));
    else
      findings.push(...this.#limit('items', isTuple ? 'Further items' : 'What the items may be', oldItems, newItems));
    return findings;
  }

  #part(keyword: string, base: Shape, head: Shape): Finding[] {
    const [old, now] = [having(base, keyword), having(head, keyword)];
    if (old.length > 0 && now.length > 0) return this.compare(old, now);
    return this.#limit(kebab(keyword), `\`${keyword}\``, old, now);
  }

  /** A schema that was added where there was none, or the reverse, as one finding. */
  #limit(
    stem: string,
    subject: string,
    base: readonly Place[],
    head: readonly Place[],
    removed = head.length === 0,
  ): Finding[] {
    const effect = overall(this.compare(base, head));
    const place = head[0] ?? base[0];
    if (effect === undefined || place === undefined) return [];
    const words = {
      narrower: 'narrower',
      wider: 'wider',
      changed: 'different',
      compatible: 'different',
      guarantee: 'narrower',
    }[effect];
    return [
      {
        rule: `${stem}-${removed ? 'removed' : 'added'}`,
        effect,
        place,
        message: `${subject} in ${describe(place.parent)} is ${words}.`,
      },
    ];
  }

  #not(base: Shape, head: Shape): Finding[] {
    const [old, now] = [having(base, 'not'), having(head, 'not')];
    const place = now[0] ?? old[0];
    if (place === undefined) return [];
    const rule = `not-${old.length === 0 ? 'added' : now.length === 0 ? 'removed' : 'changed'}`;
    const inner = old.length === 0 ? 'wider' : now.length === 0 ? 'narrower' : overall(this.compare(old, now));
    if (inner === undefined) return [];
    // What is excluded grew: what is left shrank.
    const effect = inner === 'wider' ? 'narrower' : inner === 'changed' || inner === 'compatible' ? 'changed' : 'wider';
    return [
      { rule, effect, place, message: `What ${describe(place.parent)} must not be was ${rule.slice('not-'.length)}.` },
    ];
  }

  #condition(base: Shape, head: Shape): Finding[] {
    const [old, now] = [having(base, 'if'), having(head, 'if')];
    const place = now[0] ?? old[0];
    if (place === undefined) return [];
    const subject = `The condition in ${describe(place.parent)}`;
    if (old.length === 0) return [{ rule: 'if-added', effect: 'narrower', place, message: `${subject} was added.` }];
    if (now.length === 0) return [{ rule: 'if-removed', effect: 'wider', place, message: `${subject} was removed.` }];
    if (this.compare(old, now).length > 0) {
      return [{ rule: 'if-changed', effect: 'changed', place, message: `${subject} was changed.` }];
    }
    return ['then', 'else'].flatMap((keyword) => this.#part(keyword, base, head));
  }

  #discriminator(base: Shape, head: Shape): Finding[] {
    const [old, now] = [having(base, 'discriminator')[0], having(head, 'discriminator')[0]];
    const place = now ?? old;
    if (place === undefined) return [];
    const subject = describe(place.parent);
    if (old === undefined) {
      return [
        {
          rule: 'discriminator-added',
          effect: 'compatible',
          place,
          message: `${subject} is told apart by \`${now?.value.propertyName}\`.`,
        },
      ];
    }
    if (now === undefined) {
      return [
        {
          rule: 'discriminator-removed',
          effect: 'changed',
          place,
          message: `${subject} is no longer told apart by \`${old.value.propertyName}\`.`,
        },
      ];
    }
    if (old.value.propertyName !== now.value.propertyName) {
      const message = `${subject} is told apart by \`${now.value.propertyName}\`; it was by \`${old.value.propertyName}\`.`;
      return [{ rule: 'discriminator-property-name-changed', effect: 'changed', place, message }];
    }
    const mapping = (at: Place) =>
      new Map(
        at
          .at('mapping')
          .entries()
          .map(([name, target]) => [name, [target]]),
      );
    return compareMaps(mapping(old), mapping(now), (name, before, after) => {
      const at = (after ?? before)?.[0] as Place;
      if (before?.[0]?.value === after?.[0]?.value) return [];
      const verb = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
      const effect = verb === 'added' ? 'compatible' : 'changed';
      return [
        {
          rule: `discriminator-mapping-${verb}`,
          effect,
          place: at,
          message: `\`${name}\` as a kind of ${subject} was ${verb}.`,
        },
      ];
    });
  }

  /** A client that leaves a value out gets the default: another one changes what it asked for. */
  #default(base: Shape, head: Shape): Finding[] {
    const [old, now] = [having(base, 'default')[0], having(head, 'default')[0]];
    const place = now ?? old;
    if (place === undefined || JSON.stringify(old?.value) === JSON.stringify(now?.value)) return [];
    const verb = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    const effect = this.direction === 'request' ? 'changed' : 'guarantee';
    const words = (at: Place | undefined) => (at ? `\`${JSON.stringify(at.value)}\`` : 'nothing');
    const message = `${describe(place.parent)}: left out, it means ${words(now)}; it was ${words(old)}.`;
    return [{ rule: `default-value-${verb}`, effect, place, message }];
  }

  /** `oneOf` and `anyOf`. `instead`: one side is a choice and the other is not, which tells all there is. */
  #choices(base: Shape, head: Shape): { findings: Finding[]; instead: boolean } {
    const [old, now] = [base.parts.filter(isChoice), head.parts.filter(isChoice)];
    const findings: Finding[] = [];
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      const [before, after] = [old[index], now[index]];
      if (before && after) {
        findings.push(...this.#alternatives(before, alternativesOf(before), after, alternativesOf(after)));
      } else if (after && head.parts.every(isOnlyChoice) && base.parts.length > 0) {
        return {
          findings: this.#alternatives(after, [base.origin as Place], after, alternativesOf(after)),
          instead: true,
        };
      } else if (before && base.parts.every(isOnlyChoice) && head.parts.length > 0) {
        return {
          findings: this.#alternatives(before, alternativesOf(before), before, [head.origin as Place]),
          instead: true,
        };
      } else {
        const place = (after ?? before) as Place;
        const rule = `${choiceName(place)}-${after ? 'added' : 'removed'}`;
        findings.push({
          rule,
          effect: after ? 'narrower' : 'wider',
          place,
          message: `${describe(place)} ${after ? 'is now' : 'is no longer'} a choice.`,
        });
      }
    }
    return { findings, instead: false };
  }

  #alternatives(oldChoice: Place, before: Place[], newChoice: Place, after: Place[]): Finding[] {
    const findings: Finding[] = [];
    const [old, now] = [new Set(before), new Set(after)];
    const pair = (matches: (a: Place, b: Place) => boolean, onMatch: (a: Place, b: Place) => void) => {
      for (const a of old) {
        const b = [...now].find((candidate) => matches(a, candidate));
        if (b === undefined) continue;
        old.delete(a);
        now.delete(b);
        onMatch(a, b);
      }
    };
    pair(
      (a, b) => this.compare([a], [b]).length === 0,
      () => {},
    );
    pair(
      (a, b) => nameOf(a) !== undefined && nameOf(a) === nameOf(b),
      (a, b) => findings.push(...this.compare([a], [b])),
    );
    const isInline = (place: Place) => nameOf(place) === undefined;
    if (old.size === 1 && now.size === 1 && before.length === after.length) {
      pair(
        (a, b) => isInline(a) && isInline(b),
        (a, b) => findings.push(...this.compare([a], [b])),
      );
    }
    // An alternative that another one covers makes no difference.
    for (const place of old) {
      if (after.some((other) => isWithin(this.compare([place], [other])))) continue;
      findings.push({
        rule: `${choiceName(oldChoice)}-removed`,
        effect: 'narrower',
        place,
        message: `${describe(oldChoice)} can no longer be ${titleOf(place)}.`,
      });
    }
    for (const place of now) {
      if (before.some((other) => covers(this.compare([other], [place])))) continue;
      findings.push({
        rule: `${choiceName(newChoice)}-added`,
        effect: 'wider',
        place,
        message: `${describe(newChoice)} can also be ${titleOf(place)}.`,
      });
    }
    if (choiceName(oldChoice) !== choiceName(newChoice)) {
      const effect: Effect = choiceName(newChoice) === 'any-of' ? 'wider' : 'narrower';
      findings.push({
        rule: `${choiceName(oldChoice)}-became-${choiceName(newChoice)}`,
        effect,
        place: newChoice,
        message: `${describe(newChoice)} may match ${effect === 'wider' ? 'several alternatives' : 'only one alternative'}.`,
      });
    }
    return findings;
  }
}

/** Deprecating what clients use is news for them, though nothing breaks (SemVer 2.0.0, 7). */
export function deprecation(old: readonly Place[], now: readonly Place[]): Finding[] {
  const flag = (places: readonly Place[]) => having(shapeOf(places), 'deprecated').find(({ value }) => value === true);
  const [before, after] = [flag(old), flag(now)];
  if ((before === undefined) === (after === undefined)) return [];
  const place = (after ?? before) as Place;
  const message = `${describe(place.parent)} is ${after ? 'deprecated' : 'no longer deprecated'}.`;
  return [{ rule: after ? 'deprecated' : 'reactivated', effect: 'compatible', place, message }];
}

const isWithin = (findings: Finding[]) => findings.every(({ effect }) => effect === 'wider' || effect === 'compatible');
const covers = (findings: Finding[]) =>
  findings.every(({ effect }) => effect === 'narrower' || effect === 'guarantee' || effect === 'compatible');

/** The effect of all findings taken together. */
function overall(findings: Finding[]): Effect | undefined {
  if (findings.length === 0) return undefined;
  if (isWithin(findings)) return 'wider';
  return covers(findings) ? 'narrower' : 'changed';
}

const choiceName = (place: Place) => (place.at('oneOf').exists ? 'one-of' : 'any-of');

/** The name of the component or file that an alternative refers to. */
function nameOf(place: Place): string | undefined {
  return typeof place.value?.$ref === 'string' ? place.value.$ref.split('/').at(-1) : place.value?.title;
}

function titleOf(place: Place): string {
  const name = nameOf(place) ?? place.value?.type;
  return name ? `\`${name}\`` : 'another alternative';
}

/** Whether a place has no keyword of its own beside the choice that could refuse a value. */
function isOnlyChoice({ value }: Place): boolean {
  const silent = /^(oneOf|anyOf|title|description|examples?|deprecated|discriminator|externalDocs|\$comment|x-.*)$/;
  return Object.keys(value).every((keyword) => silent.test(keyword));
}

function opennessOf(places: readonly Place[]): 'open' | 'limited' | 'closed' {
  if (places.some(({ value }) => value === false)) return 'closed';
  return places.some(({ value }) => value !== true && Object.keys(value ?? {}).length > 0) ? 'limited' : 'open';
}

/** The entries of a keyword that maps names to schemas, joined over all parts. */
function mapOf(keyword: string, shape: Shape): Map<string, Place[]> {
  const entries = having(shape, keyword).flatMap((place) => place.entries());
  const map = new Map<string, Place[]>();
  for (const [name, place] of entries) map.set(name, [...(map.get(name) ?? []), place]);
  return map;
}

function requiredOf(shape: Shape): Map<string, Place> {
  const names = having(shape, 'required').flatMap((place) => place.items());
  return new Map(names.map((place) => [String(place.value), place]));
}

function compareMaps(
  base: Map<string, Place[]>,
  head: Map<string, Place[]>,
  compare: (name: string, old: Place[] | undefined, now: Place[] | undefined) => Finding[],
): Finding[] {
  return [...new Set([...base.keys(), ...head.keys()])].flatMap((name) =>
    compare(name, base.get(name), head.get(name)),
  );
}
