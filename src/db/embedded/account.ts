/**
 * As whom PostgreSQL runs: it refuses to be root, and initdb wants a user that /etc/passwd knows.
 *
 *   self        we are not root: as we are
 *   namespace   root only inside: `unshare` shows the program another user number, files stay ours and every folder
 *               that we reach is reached; nothing is created. Forbidden in some containers, hence a probe
 *   other       as the user postgres or nobody; its folder must be given to it, and be reachable for it
 * Sources: user_namespaces(7), unshare(1).
 */
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {Refusal} from '../../base/refusal.ts'

export type Account =
  | {readonly kind: 'self'}
  | {readonly kind: 'namespace'; readonly userId: number}
  | {readonly kind: 'other'; readonly userId: number; readonly groupId: number; readonly name: string}

type User = {readonly name: string; readonly userId: number; readonly groupId: number}

/**
 * Chooses the account.
 *
 * @param kinds  what may be chosen, for tests of one kind
 * @throws       Refusal: we are root and none of the ways out is open
 */
export function chooseAccount(kinds: readonly Account['kind'][] = ['self', 'namespace', 'other']): Account {
  const users = readUsers()
  const userId = process.getuid?.()
  const isKnown = userId === undefined || users.some(user => user.userId === userId)
  if (kinds.includes('self') && userId !== 0 && isKnown) return {kind: 'self'}
  const stranger = users.find(({name}) => name === 'nobody') ?? users.find(user => user.userId !== 0)
  if (kinds.includes('namespace') && stranger !== undefined && canUnshare(stranger.userId)) {
    return {kind: 'namespace', userId: stranger.userId}
  }
  const other = users.find(({name}) => name === 'postgres') ?? users.find(({name}) => name === 'nobody')
  if (kinds.includes('other') && userId === 0 && other !== undefined) return {kind: 'other', ...other}
  throw new Refusal(
    userId === 0
      ? 'PostgreSQL does not run as root, and no other account can be used here. Run Quadstead as another user, ' +
          'or set DATABASE_URL.'
      : `PostgreSQL does not run as a user without a name (number ${userId} is not in /etc/passwd). Run ` +
          'Quadstead as another user, or set DATABASE_URL.',
  )
}

/** The command line that runs a program as the account. */
export function commandAs(account: Account, program: string, parameters: readonly string[]) {
  if (account.kind === 'namespace') {
    return {file: 'unshare', parameters: [...namespaceOptions(account.userId), program, ...parameters], options: {}}
  }
  const options = account.kind === 'other' ? {uid: account.userId, gid: account.groupId} : {}
  return {file: program, parameters: [...parameters], options}
}

function namespaceOptions(userId: number): readonly string[] {
  return ['--user', `--map-user=${userId}`, `--map-group=${userId}`, '--']
}

function canUnshare(userId: number): boolean {
  return spawnSync('unshare', [...namespaceOptions(userId), 'true'], {stdio: 'ignore'}).status === 0
}

/** Only names and numbers of the local accounts. */
function readUsers(): readonly User[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map(line => line.split(':'))
      .flatMap(([name = '', , userId, groupId]) =>
        userId === undefined || groupId === undefined ? [] : [{name, userId: Number(userId), groupId: Number(groupId)}],
      )
  } catch {
    return []
  }
}
