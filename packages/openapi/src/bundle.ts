/** Joins the files of a document, with the names and the structure of its author. */
import path from 'node:path';
import type { Document } from './document.ts';
import { type Any, isMap, type Kind, kindIn, mapValues, SECTIONS } from './objects.ts';
import { type Report, setOrigin } from './origin.ts';
import { Place, type Source } from './place.ts';
import { pointerOf } from './pointers.ts';
import { freeName } from './references.ts';

/** The fields that OpenAPI 3.1 allows beside the `$ref` of an object that is no schema. */
const BESIDE = ['summary', 'description'];

/**
 * All references of the result are local JSON pointers. Objects of other files become components, named by their file or by the last key
 * of their place. Paths and callbacks are copied to where they are referred to.
 */
export function bundle(source: Source, report: Report): Document {
  const { root } = source;
  const is30 = `${root.value.openapi}`.startsWith('3.0');
  /** The objects of other files that become components, by kind and place. The names of components are taken. */
  const added = new Map<string, [kind: Kind, name: string, place: Place]>();
  const taken = new Set<string>();
  const add = (kind: Kind, name: string, place: Place) => {
    taken.add(`${kind} ${name}`);
    added.set(`${kind} ${place.id}`, [kind, name, place]);
    return name;
  };
  const componentNameOf = (place: Place, kind: Kind) => added.get(`${kind} ${place.id}`)?.[1];
  for (const [kind, section] of Object.entries(SECTIONS))
    for (const [name, place] of root.at('components', section).entries()) {
      taken.add(`${kind} ${name}`);
      // A component that only refers to another file gives its name to the object there.
      const target = Object.keys(Object(place.value)).length === 1 ? place.targetIfAny : undefined;
      if (target && target.file !== root.file && componentNameOf(target, kind) === undefined) add(kind, name, target);
    }

  /** The place to which a reference leads in one step. Undefined, with a note, if it leads nowhere. */
  const targetOf = (place: Place, follow = () => place.target()): Place | undefined => {
    try {
      return follow();
    } catch (error) {
      // The message begins with the place.
      report('error', 'reference', place, (error as Error).message.replace(/^\S+:\d+ /, ''));
      return undefined;
    }
  };
  /** A local reference to an object. One that the author wrote so is kept. */
  const pointerTo = (target: Place, kind: Kind, written?: Place): string => {
    const existing = componentNameOf(target, kind);
    if (target.file === source.file && existing === undefined)
      return written?.file === source.file && written.value.$ref.startsWith('#/') ? written.value.$ref : target.pointer;
    const base = `${target.keys.at(-1) ?? path.parse(target.file).name}`.replace(/[^\w.-]+/g, '_') || 'Part';
    const isTaken = (one: string) => taken.has(`${kind} ${one}`);
    const name = existing ?? add(kind, freeName(base, isTaken, '-'), target);
    return `#/components/${SECTIONS[kind]}/${pointerOf([name]).slice(2)}`;
  };

  const copy = (place: Place, kind: Kind, within: readonly string[] = []): Any => {
    const { value } = place;
    if (Array.isArray(value)) return place.items().map((one) => copy(one, kind, within));
    if (!isMap(value)) return value;
    if (kind in SECTIONS && typeof value.$ref === 'string') return reference(place, kind, within);
    return fieldsOf(mapAt(place, within), kind, within);
  };
  const fieldsOf = (place: Place, kind: Kind, within: readonly string[]): Any => {
    const all = mapValues(place.value, (_, field) => {
      const [held, at] = [kindIn(kind, field), place.at(field)];
      // An example in a file of its own is read, as others do. In all other data, such as extensions, a `$ref` is no reference.
      if (!held) return structuredClone((/^(example|value)$/.test(field) && at.targetIfAny?.value) || at.value);
      if (!held.isMany || !isMap(at.value)) return copy(at, held.kind, within);
      const map = mapAt(at, within);
      const inner = map === at ? within : [...within, map.id];
      return setOrigin(
        mapValues(map.value, (_, key) => copy(map.at(key), held.kind, inner)),
        map,
      );
    });
    const { mapping } = Object(kind === 'schema' && all.discriminator);
    if (isMap(mapping))
      all.discriminator = { ...all.discriminator, mapping: mapValues(mapping, (target) => mapped(place, target)) };
    return setOrigin(all, place);
  };
  /** An object or a map that a reference stands for, where OpenAPI does not allow one, but others read it. */
  const mapAt = (place: Place, within: readonly string[]): Place => {
    if (typeof place.value?.$ref !== 'string') return place;
    const target = targetOf(place, () => place.follow());
    const isLoop = target !== undefined && within.includes(target.id);
    if (isLoop) report('error', 'reference', place, '$ref leads back to itself');
    return isMap(target?.value) && !isLoop ? target : place.without('$ref');
  };
  /** The value of a discriminator's mapping: the name of a schema, or a reference to one. */
  const mapped = (place: Place, target: unknown): unknown => {
    if (typeof target !== 'string' || !/[#/]|\.(ya?ml|json)$/.test(target)) return target;
    const written = new Place(source, place.file, { $ref: target });
    const found = written.targetIfAny;
    return found ? pointerTo(found, 'schema', written) : target;
  };

  const reference = (place: Place, kind: Kind, within: readonly string[]): Any => {
    // Completion may add the component. A reference that leads nowhere is found when the document is normalized.
    const isHere = place.file === source.file && place.value.$ref.startsWith('#/');
    if (isHere && !place.targetIfAny) return setOrigin({ ...place.value }, place);
    const target = targetOf(place);
    const rest = fieldsOf(place.without('$ref'), kind, within);
    if (!target) return rest;
    if (kind === 'schema') return { ...rest, $ref: pointerTo(target, kind, place) };
    const texts = is30 ? {} : Object.fromEntries(BESIDE.filter((key) => key in rest).map((key) => [key, rest[key]]));
    if (kind !== 'path' && (kind !== 'callback' || target.file === source.file))
      return setOrigin({ $ref: pointerTo(target, kind, place), ...texts }, place);
    if (!within.includes(target.id))
      return { ...copy(target, kind, [...within, target.id]), ...(kind === 'path' ? rest : texts) };
    report('error', 'reference', place, '$ref leads back to itself');
    return {};
  };

  const whole: Document = copy(root, 'document');
  // They grow while they are walked, as one may refer to further files.
  for (const [kind, name, place] of added.values()) {
    whole.components = { ...whole.components };
    const section = SECTIONS[kind] as string;
    whole.components[section] = { ...whole.components[section], [name]: copy(place, kind) };
  }
  return whole;
}
