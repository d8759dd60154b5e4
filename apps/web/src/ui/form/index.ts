export { FormDialog } from './form-dialog.tsx'
export { emailRule, portRule } from './rules.ts'
export { SchemaForm, type SchemaFormProps } from './schema-form.tsx'
export { type Field, type FormSchema, type FormTab, ON } from './schema.ts'
