import {
  deleteIf,
  deleteItem,
  getAll,
  getItem,
  putIf,
  putItem,
  type Query,
  queryAll,
  queryFirst,
  queryPage,
  queryPages,
  updatedIf,
  updateIf,
  updateIfReading,
  updateItem,
} from "./dynamodb.ts";
import { variable as tableName, type Variable } from "./environment.ts";
import { attribute, type Expression, expression, list, render } from "./expression.ts";

type Key = Record<string, string>;

/** What a store keeps in a table: all of its items, or those of one kind. */
export interface TableDefinition<Id> {
  /** The environment variable with the table's name. */
  variable: Variable;
  key: (id: Id) => Key;
  /** Attributes that belong to the item and not to what it says: keys, keys of indexes, `expiresAt`. Reads omit them. */
  hidden?: readonly string[];
}

export interface Reading {
  /** By default true: what has been written is read. */
  isConsistent?: boolean;
  /** By default all. */
  attributes?: readonly string[];
}

export interface Selection {
  index?: string;
  /** The condition on the key. */
  where: Expression;
  /** The condition on the other attributes: what does not hold it is read and paid for, and left out. */
  filter?: Expression | undefined;
  attributes?: readonly string[];
  /** By default false. Indexes have no consistent reads. */
  isConsistent?: boolean;
  isDescending?: boolean;
  /** The key, in the table and in the index, of the item after which to begin. */
  after?: Record<string, unknown> | undefined;
}

/** The `query` of a table. */
export type QueryTable<Found> = (selection: Selection) => { first(count: number): Promise<Found[]> };

/**
 * A table of DynamoDB. The writes that end in `If` or `New` are conditional: they return false when the condition does not
 * hold, and are done once even if the SDK repeats them; see `dynamodb.ts`. Items are not checked: only our own code writes
 * them. What operators may edit is read as `unknown`, and parsed.
 * @throws ConfigError when the environment lacks the variable
 */
export function table<Item extends object, Id = string>({ variable, key, hidden = [] }: TableDefinition<Id>) {
  const TableName = tableName(variable);
  const show = <Found>(item: Found): Found => {
    if (hidden.length === 0) return item;
    return Object.fromEntries(
      Object.entries(item as object).filter(([name]) => !hidden.includes(name)),
    ) as Found;
  };
  const isNew = (id: Id) => expression`attribute_not_exists(${attribute(Object.keys(key(id)).at(-1) ?? "")})`;
  const put = (id: Id, attributes: object, condition?: Expression) => ({
    TableName,
    Item: { ...attributes, ...key(id) },
    ...render({ ConditionExpression: condition }),
  });
  const update = (id: Id, change: Expression, condition?: Expression) => ({
    TableName,
    Key: key(id),
    ...render({ UpdateExpression: change, ConditionExpression: condition }),
  });
  return {
    /** For calls on items of several tables or keys. */
    name: TableName,

    async get<Found = Item>(
      id: Id,
      { isConsistent = true, attributes }: Reading = {},
    ): Promise<Found | undefined> {
      const projection = render({ ProjectionExpression: attributes && namesOf(attributes) });
      const input = { TableName, Key: key(id), ConsistentRead: isConsistent, ...projection };
      const item = await getItem<Found>(input);
      return item && show(item);
    },

    /** The items that exist, in any order. @param ids none twice */
    async getMany<Found = Item>(
      ids: readonly Id[],
      { isConsistent = true, attributes }: Reading = {},
    ): Promise<Found[]> {
      const projection = render({ ProjectionExpression: attributes && namesOf(attributes) });
      const keys = { Keys: ids.map(key), ConsistentRead: isConsistent, ...projection };
      return (await getAll<Found>(TableName, keys)).map(show);
    },

    putItem: (id: Id, attributes: object) => putItem(put(id, attributes)),
    putIf: (id: Id, attributes: object, condition?: Expression) => putIf(put(id, attributes, condition)),
    putNew: (id: Id, attributes: object) => putIf(put(id, attributes, isNew(id))),

    updateItem: (id: Id, change: Expression, returned?: "ALL_OLD" | "ALL_NEW") =>
      updateItem<Item>({ ...update(id, change), ReturnValues: returned }),
    updateIf: (id: Id, change: Expression, condition?: Expression) => updateIf(update(id, change, condition)),
    /** Also reads the text of an attribute that the item has then, whether the condition held or not. */
    updateIfReading: (name: string, id: Id, change: Expression, condition: Expression) =>
      updateIfReading(update(id, change, condition), name),
    /** The item as it is then; undefined when the condition did not hold. A repeat must not change the item again. */
    async updatedIf(id: Id, change: Expression, condition?: Expression): Promise<Item | undefined> {
      const item = await updatedIf<Item>(update(id, change, condition));
      return item && show(item);
    },

    deleteItem: (id: Id) => deleteItem({ TableName, Key: key(id) }),
    deleteIf: (id: Id, condition?: Expression) =>
      deleteIf({ TableName, Key: key(id), ...render({ ConditionExpression: condition }) }),

    query<Found = Item>({ index, isConsistent, isDescending = false, after, ...selection }: Selection) {
      const { where, filter, attributes } = selection;
      const input: Query = {
        TableName,
        IndexName: index,
        ConsistentRead: isConsistent,
        ScanIndexForward: !isDescending,
        ExclusiveStartKey: after,
        ...render({
          KeyConditionExpression: where,
          FilterExpression: filter,
          ProjectionExpression: attributes && namesOf(attributes),
        }),
      };
      return {
        all: async () => (await queryAll<Found>(input)).map(show),
        first: async (count: number) => (await queryFirst<Found>(input, count)).map(show),
        /** @param size the most items of a page; without it, a page has 1 MB */
        async *pages(size?: number): AsyncGenerator<Found[]> {
          for await (const page of queryPages<Found>({ ...input, Limit: size })) yield page.map(show);
        },
        /** One page, which may be short. @returns `end` the key after which the next one begins, if there is one */
        async page(limit: number) {
          const { items, end } = await queryPage<Found>({ ...input, Limit: limit });
          return { items: items.map(show), end };
        },
      };
    },
  };
}

function namesOf(attributes: readonly string[]): Expression {
  return list(attributes.map(attribute));
}

/**
 * The condition that an item has not been written since it had this revision.
 * @param before undefined: that there is none; without a revision: that the item is there, and has none
 * @param keyName an attribute of the key
 */
export function unchangedSince(
  before: { revision?: number | undefined } | undefined,
  keyName: string,
): Expression {
  if (before === undefined) return expression`attribute_not_exists(${attribute(keyName)})`;
  const { revision } = before;
  if (revision !== undefined) return expression`revision = ${revision}`;
  return expression`attribute_exists(${attribute(keyName)}) AND attribute_not_exists(revision)`;
}

/** The condition that an item has the revision before this one; before the first, that there is none. */
export function isNext({ revision }: { revision: number }, keyName: string): Expression {
  return unchangedSince(revision === 1 ? undefined : { revision: revision - 1 }, keyName);
}
