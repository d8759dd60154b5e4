import { UserPlus, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { ListPage, type ListPageProps } from '../../console-kit/list-page.tsx'

const SHAPE = consoleShape({ filters: ['text'] })

export type MemberQuestion<Member> =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly member: Member }
  | { readonly kind: 'remove'; readonly member: Member }

type ListProps<Member> = Pick<ListPageProps<Member>, 'name' | 'title' | 'help' | 'back' | 'source' | 'columns'>

export interface MembersListProps<Member> extends ListProps<Member> {
  readonly canEdit: boolean
  readonly addLabel: string
  readonly empty: { readonly title: string; readonly text: string }
  readonly rowActions: (ask: (question: MemberQuestion<Member>) => void) => ReadonlyArray<Action<Member>>
  /** @param account of the only one, or empty */
  readonly removal: (account: string) => BulkAction
  readonly onRemoved: () => void
  /** Adds members or changes one. */
  readonly renderDialog: (
    question: Exclude<MemberQuestion<Member>, { readonly kind: 'remove' }>,
    close: () => void,
  ) => ReactNode
}

/** Who belongs to something: a list with ways to add, change and remove members. */
export function MembersList<Member extends { readonly id: string; readonly account: string }>({
  canEdit,
  addLabel,
  empty,
  rowActions,
  removal,
  onRemoved,
  renderDialog,
  ...list
}: MembersListProps<Member>) {
  const texts = useTexts()
  const [question, setQuestion] = useState<MemberQuestion<Member>>()
  const close = (): void => setQuestion(undefined)
  const add = canEdit && (
    <Button kind="solid" onClick={() => setQuestion({ kind: 'add' })}>
      <UserPlus size={18} aria-hidden="true" />
      {addLabel}
    </Button>
  )
  return (
    <>
      <ListPage
        {...list}
        actions={add}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('users.filter.text') }]}
        idOf={({ id }) => id}
        nameOf={({ account }) => account}
        rowActions={canEdit ? rowActions(setQuestion) : []}
        bulk={canEdit ? [removal('')] : []}
        isByIds
        empty={{ icon: <UsersRound size={28} />, ...empty, action: add }}
      />
      {question?.kind === 'remove' ? (
        <BulkDialog
          action={removal(question.member.account)}
          choose={() => ({ ids: [question.member.id] })}
          count={1}
          onDone={onRemoved}
          onClose={close}
        />
      ) : (
        question !== undefined && renderDialog(question, close)
      )}
    </>
  )
}
