import { routes } from '@godwit/contract/table'
import type { AdminSpace, AdminSpaceMember } from '@godwit/contract'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { FormDialog, ON } from '../../../ui/form/index.ts'
import { useRefresh } from '../../console-kit/list-source.ts'
import { accountsField, accountsOf } from '../member-lists/index.ts'
import { nameOfSpace, spaceMembersKey, SPACES } from './spaces-source.ts'

type SpaceMemberQuestion = { readonly kind: 'add' } | { readonly kind: 'edit'; readonly member: AdminSpaceMember }

export interface SpaceMemberDialogProps {
  readonly space: AdminSpace
  readonly question: SpaceMemberQuestion
  readonly onClose: () => void
}

/** Makes accounts members of a space, or its administrators; it takes effect at once. */
export function SpaceMemberDialog({ space, question, onClose }: SpaceMemberDialogProps) {
  const texts = useTexts()
  const save = useSave(space, onClose)
  const admin = adminField(texts)
  const name = nameOfSpace(space, texts)
  if (question.kind === 'edit') {
    const { id, account, isAdmin } = question.member
    return (
      <FormDialog<'admin'>
        title={texts('console-spaces.member.edit.title', { account, space: name })}
        submitLabel={texts('common.save')}
        schema={{ admin }}
        initial={{ admin: isAdmin ? ON : '' }}
        onClose={onClose}
        onSend={(values) => save({ userIds: [id] }, values.admin)}
      />
    )
  }
  return (
    <FormDialog<'accounts' | 'admin'>
      title={texts('console-spaces.member.add.title', { space: name })}
      submitLabel={texts('console-spaces.member.add')}
      schema={{
        accounts: accountsField(texts, ['ACCOUNT_NOT_FOUND']),
        admin,
      }}
      initial={{ accounts: '', admin: '' }}
      onClose={onClose}
      onSend={(values) => save({ accounts: accountsOf(values.accounts) }, values.admin)}
    />
  )
}

function adminField(texts: Texts): { readonly kind: 'switch'; readonly label: string; readonly hint: string } {
  return {
    kind: 'switch',
    label: texts('console-spaces.member.make-admin'),
    hint: texts('console-spaces.member.make-admin.hint'),
  }
}

type Who = { readonly userIds: string[] } | { readonly accounts: string[] }

function useSave({ id: spaceId }: AdminSpace, onClose: () => void) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [refreshMembers, refreshSpaces] = [useRefresh(spaceMembersKey(spaceId)), useRefresh(SPACES)]
  return async (who: Who, admin: string): Promise<void> => {
    const body = { ...who, isAdmin: admin === ON }
    const { members } = await api.call(routes.adminSpaces.setMembers, { params: { spaceId }, body })
    void refreshMembers()
    void refreshSpaces()
    messages.notify('success', texts('console-spaces.member.saved', { count: members }))
    onClose()
  }
}
