/** Texts of mails. Paragraphs are apart by an empty line; a paragraph that is `{code}` alone is shown large. */
export const mail = {
  'sign-in-code.subject': 'Your sign-in code',
  'sign-in-code.body':
    'Hello {account},\n\nThis is the code for your sign-in to {product}:\n\n{code}\n\nIt is valid for {minutes} minutes and works once. If you are not signing in, somebody knows your password: change it.',
  'reset-code.subject': 'Your code for a new password',
  'reset-code.body':
    'Hello {account},\n\nThis is the code for setting a new password in {product}:\n\n{code}\n\nIt is valid for {minutes} minutes and works once. If you did not ask for it, do nothing: your password stays as it is.',
  'email-changed.subject': 'Your e-mail address was changed',
  'email-changed.body':
    'Hello {account},\n\nE-mails from {product} now go to a different address. If you did not change it, contact your administrator immediately.',
  'invitation.subject': 'Your account in {product}',
  'invitation.body':
    'Hello {name},\n\nAn account has been created for you in {product}: {account}\n\nChoose your password here. The link works once, within {days} days:',
  'test.subject': 'Test e-mail',
  'test.body': 'This e-mail shows that {product} can send e-mails with these settings.',
  'notice.subject': '{title}',
  'notice.body': '{content}',
  'share-link.subject': '{account} shared “{name}” with you',
  'share-link.body': '{text}\n\n{account} shared “{name}” with you. Open it here:',
  'invite-link.subject': '{account} asks you for files',
  'invite-link.body': '{text}\n\n{account} asks you to upload files to “{name}”. Upload them here:',
  'link-code.subject': 'Your code for “{name}”',
  'link-code.body':
    'This is the code that opens “{name}”, shared by {account}:\n\n{code}\n\nIt is valid for {minutes} minutes and works once. If you did not ask for it, do nothing: nobody gets in without it.',
  'link-downloaded.subject': 'Your link “{name}” was used',
  'link-downloaded.body':
    'Hello {account},\n\nGuests downloaded files through your link “{name}”. Downloads since the last e-mail: {count}.\n\n{files}\n\nAll downloads are listed here:',
  'link-uploaded.subject': 'Files arrived through your link “{name}”',
  'link-uploaded.body':
    'Hello {account},\n\nGuests uploaded files through your link “{name}”. Files since the last e-mail: {count}.\n\n{files}\n\nAll uploads are listed here:',
  'link-expiring.subject': 'Your link “{name}” ends soon',
  'link-expiring.body':
    'Hello {account},\n\nYour link “{name}” ends on {time}. After that, nobody can open it.\n\nIf it is still needed, extend it here with one click after signing in:',
  'share-reminder.subject': 'Reminder: {account} shared “{name}” with you',
  'share-reminder.body':
    '{text}\n\n{account} reminds you of “{name}”, which you have not downloaded completely. Open it here:',
  'invite-reminder.subject': 'Reminder: {account} asks you for files',
  'invite-reminder.body': '{text}\n\n{account} is still waiting for your files for “{name}”. Upload them here:',
  footer: 'Sent by {product}, {url}',
} as const

export type MailKey = keyof typeof mail
