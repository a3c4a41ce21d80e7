use super::{Broken, Flaw, SHARED, Tainted, rules};
use rand::{Rng, RngExt};
use tablero_env::dots_and_boxes::{Illegal, Played};
use tablero_env::{ActionId, ForFirst, Game, Notation, Outcome, Player};

impl Game for Broken {
    type State = Tainted;
    type Played = Played;
    type Illegal = Illegal;
    fn rules_version(&self) -> u32 {
        1
    }

    fn spec(&self) -> String {
        format!("broken:{:?}", self.0)
    }

    fn n_actions(&self) -> usize {
        if self.is(Flaw::NoActions) { 0 } else { 12 }
    }

    fn max_plies(&self) -> Option<usize> {
        Some(if self.is(Flaw::LongerThanDeclared) {
            11
        } else {
            12
        })
    }

    fn max_legal_actions(&self) -> usize {
        if self.is(Flaw::FewerActionsDeclared) {
            11
        } else {
            12
        }
    }

    fn initial(&self) -> Tainted {
        let inner = if self.is(Flaw::SecondPlayerBegins) {
            rules().parse_state("00/00/00:000/000:../..:1").unwrap()
        } else {
            rules().initial()
        };
        self.tainted(inner)
    }

    fn player_to_move(&self, state: &Tainted) -> Player {
        rules().player_to_move(&state.inner)
    }

    fn outcome(&self, state: &Tainted) -> Option<Outcome> {
        let mut outcome = rules().outcome(&state.inner)?;
        if self.is(Flaw::PointsOfTheOutcomeDiffer) {
            outcome.points = Some([4, 4]);
        }
        Some(outcome)
    }

    fn is_over(&self, state: &Tainted) -> bool {
        rules().is_over(&state.inner)
            || self.is(Flaw::OverBeforeTheOutcome) && state.inner.edges().len() == 11
    }

    fn points(&self, state: &Tainted) -> Option<[i32; 2]> {
        rules().points(&state.inner)
    }

    fn lead_bounds(&self, state: &Tainted) -> Option<ForFirst<[i32; 2]>> {
        let ForFirst(bounds) = rules().lead_bounds(&state.inner)?;
        let [first, second] = rules().points(&state.inner)?;
        Some(ForFirst(match self.0 {
            // Never more than three boxes apart.
            Flaw::BoundsWithoutTheEnd => [bounds[0].max(-3), bounds[1].min(3)],
            Flaw::BoundsOfTheLeadNow => [first - second; 2],
            _ => bounds,
        }))
    }

    fn wins_at_once(&self, state: &Tainted, legal: &[ActionId]) -> bool {
        self.is(Flaw::WinsWithoutAWin) && state.inner.edges().len() == 10 && legal.len() == 2
    }

    fn legal_actions(&self, state: &Tainted, out: &mut Vec<ActionId>) {
        let old = out.clone();
        rules().legal_actions(&state.inner, out);
        match self.0 {
            Flaw::UnsortedActions => out.reverse(),
            Flaw::RepeatedAction => out.extend(out.last().copied()),
            Flaw::BufferNotCleared => *out = [old, out.clone()].concat(),
            Flaw::ActionsAfterTheEnd if out.is_empty() => out.push(ActionId(3)),
            _ => {}
        }
    }

    fn write_mask(&self, state: &Tainted, buffer: &mut Vec<ActionId>, mask: &mut [i8]) {
        if !self.is(Flaw::MaskKeepsOldEntries) {
            mask.fill(0);
        }
        self.legal_actions(state, buffer);
        let skip = usize::from(self.is(Flaw::MaskMissesAnAction));
        for action in buffer.iter().skip(skip) {
            mask[action.index()] = 1;
        }
    }

    fn legality(&self, state: &Tainted, action: ActionId) -> Result<(), Illegal> {
        if self.is(Flaw::AcceptsBeyondTheLastId) && action.0 == 12 {
            return Ok(());
        }
        if self.is(Flaw::MissesALegalAction) && action.0 == 7 {
            return Err(Illegal::AlreadyDrawn(7));
        }
        rules().legality(&state.inner, action)
    }

    fn play(&self, state: &mut Tainted, action: ActionId) -> Result<Played, Illegal> {
        if self.is(Flaw::RefusesAListedAction) && action.0 == 7 {
            return Err(Illegal::GameOver);
        }
        if self.is(Flaw::AcceptsBeyondTheLastId) && action.0 == 12 {
            return Err(Illegal::GameOver);
        }
        let result = rules().play(&mut state.inner, action);
        match (&result, self.0) {
            (Ok(_), _) => Broken::record(state, action),
            (Err(_), Flaw::WrongReason) => return Err(Illegal::AlreadyDrawn(99)),
            (Err(_), Flaw::RefusedMoveChangesTheState) => {
                let text = rules().state_text(&state.inner);
                let (board, mover) = text.rsplit_once(':').unwrap();
                let other = if mover == "0" { 1 } else { 0 };
                state.inner = rules().parse_state(&format!("{board}:{other}")).unwrap();
            }
            (Err(_), _) => {}
        }
        result
    }

    fn play_unchecked(&self, state: &mut Tainted, action: ActionId) {
        let mover = rules().player_to_move(&state.inner);
        rules().play_unchecked(&mut state.inner, action);
        Broken::record(state, action);
        if self.is(Flaw::LastMoveLeavesTheMover) && action.0 == 11 {
            let text = rules().state_text(&state.inner);
            let (board, _) = text.rsplit_once(':').unwrap();
            state.inner = rules().parse_state(&format!("{board}:{mover}")).unwrap();
        }
    }

    fn hash(&self, state: &Tainted) -> u64 {
        let hash = rules().hash(&state.inner);
        match self.0 {
            Flaw::HashCountsPlies => hash ^ u64::from(state.plies),
            Flaw::HashOfTheHistory => hash ^ u64::from(state.rising),
            Flaw::SharedBetweenClones => hash ^ SHARED.get(),
            _ => hash,
        }
    }

    fn sample_action<R: Rng + ?Sized>(
        &self,
        state: &Tainted,
        buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> ActionId {
        self.legal_actions(state, buffer);
        let k = rng.random_range(0..buffer.len());
        match self.0 {
            Flaw::SamplesTheFirst => buffer[0],
            Flaw::SamplesWithTwoDraws => {
                rng.next_u64();
                buffer[k]
            }
            _ => buffer[k],
        }
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut Tainted,
        buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> Outcome {
        if self.is(Flaw::PlayoutOfTheOldBuffer) && !buffer.is_empty() {
            rng.next_u64();
        }
        let outcome = rules().playout(&mut state.inner, buffer, rng);
        if self.is(Flaw::PlayoutOfAnotherOutcome) {
            return Outcome::from_points([4, 0]);
        }
        outcome
    }
}
