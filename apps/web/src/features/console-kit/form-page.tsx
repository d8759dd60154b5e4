import { PageForm, type PageFormProps } from './page-form.tsx'
import { PageFrame, type PageFrameProps } from './page-frame.tsx'

export interface FormPageProps<Name extends string>
  extends
    Pick<PageFrameProps, 'title' | 'help'>,
    Pick<
      PageFormProps<Name>,
      'schema' | 'tabs' | 'initial' | 'submitLabel' | 'onSend' | 'onSaved' | 'onConflict' | 'other' | 'children'
    > {
  /** Where Cancel leads. */
  readonly back: { readonly to: string; readonly label: string }
  readonly onCancel: () => void
}

/** A form as a page of its own, which is left with its save. */
export function FormPage<Name extends string>({ title, help, back, ...form }: FormPageProps<Name>) {
  return (
    <PageFrame title={title} help={help ?? ''} back={back} isNarrow>
      <PageForm {...form} />
    </PageFrame>
  )
}
