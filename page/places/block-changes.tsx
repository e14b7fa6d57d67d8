import { useSignal } from '@preact/signals';
import { OF_NEWEST, useAsked } from '../asked.ts';
import { Panel } from '../panel.tsx';
import { Found } from '../state.tsx';
import { Table } from '../table.tsx';
import { type ChangedGroup, ChangesOfBlock, groupsOf } from './changed-rows.tsx';

/** As many rows of a kind as are shown at once: a block may change thousands. */
const MOST_ROWS = 12;

/** What a block changed, as it was at its end, by kind. */
export function BlockChanges({ height, after }: { readonly height: string; readonly after: string | null }) {
  const asked = useAsked(ChangesOfBlock, { height, after }, () => true, OF_NEWEST).value;
  return (
    <Found asked={asked} find={({ asOf }) => asOf?.changes.edges} what="changes">
      {([first]) => {
        const groups = first === undefined ? [] : groupsOf(first.node);
        if (groups.length === 0) return <p class="quiet state-note">This block changed nothing.</p>;
        return (
          <div class="three">
            {groups.map((group) => (
              <Group key={group.name} {...group} asked={asked} />
            ))}
          </div>
        );
      }}
    </Found>
  );
}

function Group({
  name,
  rows,
  asked,
}: ChangedGroup & { readonly asked: Parameters<typeof Panel>[0]['asked'] }) {
  const isOpen = useSignal(false);
  return (
    <Panel
      id={`changed-${name.toLowerCase().replaceAll(' ', '-')}`}
      title={`${name} (${rows.length})`}
      {...(asked && { asked })}
    >
      <Table
        kind="changed"
        columns={[['What'], ['Then', 'number']]}
        rows={rows.slice(0, isOpen.value ? rows.length : MOST_ROWS).map(([key, what, now]) => (
          <tr key={key}>
            <td>{what}</td>
            <td class="number">{now}</td>
          </tr>
        ))}
        count={rows.length}
        onMore={() => {
          isOpen.value = true;
        }}
      />
    </Panel>
  );
}
