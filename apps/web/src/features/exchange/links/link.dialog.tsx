import type { LinkRecord } from '@godwit/contract'
import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { isEmail } from '@godwit/contract/field-rules'
import { links } from '@godwit/contract/table/links'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { useCloseIfShown } from '../../../lib/use-is-shown.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Form } from '../../../ui/form.tsx'
import type { LinkTarget } from '../../content/files/index.ts'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { fullAddress } from './link-address.ts'
import {
  type Aliases,
  aliasFaults,
  canHaveAliases,
  emailsIn,
  linkFaults,
  newValues,
  termsOf,
  valuesOf,
} from './link-form.ts'
import { LinkFields } from './link-fields.tsx'
import { fieldOfLinkError } from './link-errors.ts'
import { LinkMade } from './link-made.tsx'
import { linkKeys } from './links-query.ts'
import { useSealedLink } from './use-sealed-link.ts'

export type LinkSubject =
  | { readonly kind: 'new'; readonly target: LinkTarget; readonly isSealed?: true }
  | { readonly kind: 'edit'; readonly record: LinkRecord }

export interface LinkDialogProps {
  readonly subject: LinkSubject
  readonly onClose: () => void
}

/** Makes a share or an invite link, or changes one. */
export function LinkDialog(props: LinkDialogProps) {
  return useTextBundle('links') ? <LinkForm {...props} /> : null
}

interface Made {
  readonly address: string
  /** Whom the person mails it to; empty when the server did. */
  readonly recipients: readonly string[]
  readonly password: string
  readonly isCopied: boolean
}

function LinkForm({ subject, onClose }: LinkDialogProps) {
  const texts = useTexts()
  const [made, setMade] = useState<Made>()
  const { form, element, aliases, submit } = useLinkForm(subject, setMade, onClose)
  if (made !== undefined) return <LinkMade {...made} isInvite={isInvite(subject)} onClose={onClose} />
  // The address of a link that is being made is shown here.
  const isHeld = form.isBusy && subject.kind === 'new'
  const close = (): void => {
    if (!isHeld) onClose()
  }
  return (
    <Dialog
      title={titleOf(subject, texts)}
      closeLabel={texts('common.close')}
      onClose={close}
      width="wide"
      initialFocus={firstField(element)}
      foot={
        <>
          <Button disabled={isHeld} onClick={close}>
            {texts('common.cancel')}
          </Button>
          <Button kind="solid" disabled={form.isBusy} onClick={submit}>
            {texts(subject.kind === 'new' ? 'links.create' : 'links.save')}
          </Button>
        </>
      }
    >
      <div ref={element}>
        <Form onSubmit={submit}>
          {isSealed(subject) && <Notice kind="info">{texts('links.sealed.note')}</Notice>}
          <FailureNotice failure={form.failure} />
          <LinkFields
            form={form}
            isInvite={isInvite(subject)}
            isSealed={isSealed(subject)}
            name={nameOf(subject)}
            expires={subject.kind === 'edit' ? subject.record.shareExpireTime : 0}
            aliases={aliases}
          />
        </Form>
      </div>
    </Dialog>
  )
}

/** Values, faults and the sending of them; aliases stand beside the fields, one for each file. */
function useLinkForm(subject: LinkSubject, onMade: (made: Made) => void, onClose: () => void) {
  const texts = useTexts()
  const { clock } = useServices()
  const { linkBinding } = useSite()
  const [aliases, setAliases] = useState<Aliases>(() => aliasesOf(subject))
  // Made once: the fields keep what was typed when the language changes.
  const [initial] = useState(() =>
    subject.kind === 'new' ? newValues(texts, linkBinding) : valuesOf(subject.record, texts),
  )
  const files = filesOf(subject)
  const faults = aliasFaults(aliases, files, texts)
  const save = useSave(subject, onMade, onClose)
  const form = useForm({
    initial,
    faultsOf: (values) => ({
      ...linkFaults(values, texts, clock.now()),
      emails: emailsIn(values.emails).every(isEmail) ? undefined : texts('links.email-invalid'),
    }),
    send: (values) => save(termsOf(values, aliases, { now: clock.now(), isInvite: isInvite(subject) })),
    fieldOf: fieldOfLinkError,
  })
  const element = useRef<HTMLDivElement>(null)
  const submit = (): void => {
    const found = element.current?.querySelector('form')
    if (found && Object.keys(faults).length === 0) form.submit(found)
  }
  const hasAliases = canHaveAliases(files, hasFolder(subject))
  return {
    form,
    element,
    submit,
    aliases: hasAliases ? { files, values: aliases, faults, set: setAliases } : undefined,
  }
}

/** Saves, and puts the address of a new link on the clipboard: two presses after the files were chosen. */
function useSave(subject: LinkSubject, onMade: (made: Made) => void, onClose: () => void) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const close = useCloseIfShown(onClose)
  const client = useQueryClient()
  const copy = useCopy()
  const makeSealed = useSealedLink()
  const isMailedByPerson = useAccount().user.linkMailMode === 1
  return async ({ shareEmail = [], ...others }: ReturnType<typeof termsOf>): Promise<void> => {
    // A code is mailed by the server alone.
    const terms = isMailedByPerson ? { ...others, needEmail: false } : { ...others, shareEmail }
    if (subject.kind === 'edit') {
      await api.call(links.edit, { body: { shareUrl: subject.record.linkId, ...terms } })
      messages.notify('success', texts('links.saved'))
      close()
    } else {
      if (subject.isSealed === true) return makeSealed(subject.target, terms)
      const { kind, place, folder, names } = subject.target
      const { shareUrl } = await api.call(links.create, {
        body: {
          ...place,
          ...terms,
          shareUrlType: SHARE_URL_TYPE[kind === 'share' ? 'download' : 'upload'],
          shareServerPath: folder,
          shareFiles: [...names],
        },
      })
      const address = fullAddress(shareUrl)
      const made = { address, recipients: isMailedByPerson ? shareEmail : [], password: terms.shareUrlPasswd ?? '' }
      onMade({ ...made, isCopied: false })
      // The dialog says so itself.
      if (await copy(address, { message: undefined })) onMade({ ...made, isCopied: true })
    }
    await client.invalidateQueries({ queryKey: linkKeys })
  }
}

function firstField(body: { readonly current: HTMLElement | null }) {
  return {
    get current() {
      return body.current?.querySelector<HTMLElement>('select, input') ?? null
    },
  }
}

function isInvite(subject: LinkSubject): boolean {
  return subject.kind === 'new'
    ? subject.target.kind === 'invite'
    : subject.record.shareUrlType === SHARE_URL_TYPE.upload
}

function isSealed(subject: LinkSubject): boolean {
  return subject.kind === 'new' ? subject.isSealed === true : subject.record.sealedBy !== ''
}

function hasFolder(subject: LinkSubject): boolean {
  return subject.kind === 'new' ? subject.target.hasFolder : subject.record.type === 1
}

function filesOf(subject: LinkSubject): readonly string[] {
  if (isInvite(subject)) return []
  return subject.kind === 'new' ? subject.target.names : subject.record.filename
}

function aliasesOf(subject: LinkSubject): Aliases {
  if (subject.kind === 'new') return {}
  return Object.fromEntries(subject.record.fileAlias.map(({ file, alias }) => [file, alias]))
}

/** Of the first that is shared; '' for the root. */
function nameOf(subject: LinkSubject): string {
  if (subject.kind === 'edit') return subject.record.filename[0] ?? ''
  const { names, folder } = subject.target
  return names[0] ?? folder.slice(folder.lastIndexOf('/') + 1)
}

function titleOf(subject: LinkSubject, texts: Texts): string {
  if (subject.kind === 'edit') return texts('links.edit.title')
  const { kind, names } = subject.target
  if (subject.isSealed === true) return texts(`links.sealed.new.${kind}`)
  const name = nameOf(subject)
  if (kind === 'share') return texts('links.share.title', { count: names.length, name })
  return name === '' ? texts('links.invite.title-root') : texts('links.invite.title', { name })
}
