import { Type as TypeBox } from "typebox";
import { expect, test } from "vitest";
import { Type } from "../../src/base/schemaType.ts";

/** Schemas of every builder, made by one library or the other. */
const schemasBy = (type: typeof Type): readonly object[] => {
  const whole = type.Integer({ minimum: 1, default: 2 });
  const some = type.Optional(type.Number({ maximum: 3 }));
  return [
    whole,
    some,
    type.Boolean(),
    type.Null(),
    type.Unknown(),
    type.Unsafe({ const: 1 }),
    type.String({ pattern: "^a", title: "an a" }),
    type.Array(type.String(), { minItems: 1 }),
    type.Union([whole, type.Null()], { description: "a number or nothing" }),
    type.Record(type.String(), whole, { description: "anything: a number" }),
    type.Record(type.String({ pattern: "^[a-z]+$" }), some),
    type.Literal("a"),
    type.Literal(1, { description: "one" }),
    type.Partial(type.Object({ some, whole }, { additionalProperties: false })),
    type.Object({ rest: type.Optional(type.Partial(type.Object({ whole }))) }),
    type.Object({}),
    type.Object({ some }),
    type.Object({ some, whole, both: type.Optional(type.Object({ whole })) }, { additionalProperties: false }),
  ];
};

test("each builder gives the JSON, in order, that typebox gives", () => {
  expect(schemasBy(Type).map((schema) => JSON.stringify(schema))).toEqual(
    schemasBy(TypeBox).map((schema) => JSON.stringify(schema)),
  );
});

test("an optional property has typebox's type", () => {
  for (const type of [Type, TypeBox]) {
    expect(type.IsOptional(type.Optional(type.Number()))).toBe(true);
    expect(type.IsOptional(type.Number())).toBe(false);
  }
});
