export { FormDialog } from './form-dialog.tsx'
export { emailRule, portRule } from './rules.ts'
export { SchemaForm } from './schema-form.tsx'
export type { Field, FormSchema } from './schema.ts'
