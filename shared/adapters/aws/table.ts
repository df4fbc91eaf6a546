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

/** The items that a store keeps in a table: all items of the table, or those of one kind. */
export interface TableDefinition<Id> {
  /** The environment variable that contains the table's name. */
  variable: Variable;
  key: (id: Id) => Key;
  /** Attributes that are used for storage only: keys, keys of indexes, `expiresAt`. Reads omit them. */
  hidden?: readonly string[];
}

export interface Reading {
  /** True by default: the read returns everything that was written before. */
  isConsistent?: boolean;
  /** All attributes by default. */
  attributes?: readonly string[];
}

export interface Selection {
  index?: string;
  /** The condition on the key. */
  where: Expression;
  /** The condition on other attributes. Items for which it does not hold are read and paid for, but not returned. */
  filter?: Expression | undefined;
  attributes?: readonly string[];
  /** False by default. Indexes do not support consistent reads. */
  isConsistent?: boolean;
  isDescending?: boolean;
  /** The key, in the table and in the index, of the item after which the query begins. */
  after?: Record<string, unknown> | undefined;
}

/** The type of a table's `query`. */
export type QueryTable<Found> = (selection: Selection) => { first(count: number): Promise<Found[]> };

/**
 * Returns access to a DynamoDB table. Writes whose names end in `If` or `New` are conditional. They return false when
 * the condition does not hold, and are done only once even if the SDK repeats them (see `dynamodb.ts`). Items are not
 * checked, because only Ingather's own code writes them. Values that operators may edit are read as `unknown` and
 * parsed.
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
    /** The table's name, for calls with items of several tables or keys. */
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

    /** Returns the items that exist, in any order. @param ids must be distinct */
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
    /** Also returns the text of an attribute after the call, whether the condition held or not. */
    updateIfReading: (name: string, id: Id, change: Expression, condition: Expression) =>
      updateIfReading(update(id, change, condition), name),
    /**
     * Returns the item after the update. A repeated update must not change the item again.
     * @returns undefined when the condition did not hold
     */
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
        /** @param size the largest number of items of a page; when absent, a page has 1 MB */
        async *pages(size?: number): AsyncGenerator<Found[]> {
          for await (const page of queryPages<Found>({ ...input, Limit: size })) yield page.map(show);
        },
        /**
         * Returns one page, which may be short. @returns `end`: the key after which the next page begins, if there is a
         * next page
         */
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
 * Returns the condition that an item was not written after it had this revision.
 * @param before undefined: the item must not exist; without a revision: the item must exist without a revision
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

/** Returns the condition that an item has the previous revision or, before the first revision, does not exist. */
export function isNext({ revision }: { revision: number }, keyName: string): Expression {
  return unchangedSince(revision === 1 ? undefined : { revision: revision - 1 }, keyName);
}
