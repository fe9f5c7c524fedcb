// The type of an event, which may break where its words end.

export const EventName = ({ of }: { readonly of: string }) => (
	<code class="name">
		{of.split(/(?<=[._])/).map((part, index) => (
			<>
				{index > 0 && <wbr />}
				{part}
			</>
		))}
	</code>
);
