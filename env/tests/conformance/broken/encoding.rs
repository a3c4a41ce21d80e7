use super::{Broken, Flaw, Tainted, rules};
use tablero_env::{ActionId, Encode, Notation, PolicyForm};

impl Encode for Broken {
    const ENCODING_VERSION: u32 = 1;

    fn observation_shape(&self) -> [usize; 3] {
        rules().observation_shape()
    }

    fn plane_descriptions(&self) -> Vec<String> {
        let mut descriptions = rules().plane_descriptions();
        if self.is(Flaw::PlaneWithoutDescription) {
            descriptions.pop();
        }
        descriptions
    }

    fn write_observation(&self, state: &Tainted, out: &mut [f32]) {
        let last = out[out.len() - 1];
        rules().write_observation(&state.inner, out);
        match self.0 {
            Flaw::ObservationOfTheHistory => out[0] = f32::from(u8::from(state.rising)),
            Flaw::ObservationLeavesAGap => *out.last_mut().unwrap() = last,
            Flaw::ObservationOutOfRange => out[0] *= 2.0,
            _ => {}
        }
    }

    fn policy_descriptions(&self) -> Vec<String> {
        rules().policy_descriptions()
    }

    fn policy_planes(&self) -> usize {
        rules().policy_planes()
    }

    fn policy_form(&self) -> PolicyForm {
        if self.is(Flaw::PlanesOfAnotherForm) {
            PolicyForm::Moves { off_board: 1 }
        } else {
            rules().policy_form()
        }
    }

    fn policy_slot(&self, state: &Tainted, action: ActionId) -> usize {
        match (self.0, action.0) {
            (Flaw::SharedSlot, 5) => self.policy_slot(state, ActionId(6)),
            (Flaw::SlotOutOfRange, 5) => self.n_policy_slots(),
            _ => rules().policy_slot(&state.inner, action),
        }
    }

    fn n_symmetries(&self) -> usize {
        rules().n_symmetries()
    }

    fn transform(&self, symmetry: usize, state: &Tainted) -> Tainted {
        let symmetry = match self.0 {
            Flaw::FirstSymmetryMoves => (symmetry + 1) % self.n_symmetries(),
            Flaw::SymmetryOfActionsOnly => 0,
            _ => symmetry,
        };
        let mut inner = rules().transform(symmetry, &state.inner);
        if self.is(Flaw::SymmetrySwapsPoints) && symmetry == 3 {
            let text = rules().state_text(&inner);
            let parts: Vec<&str> = text.split(':').collect();
            let owners: String = parts[2]
                .chars()
                .map(|owner| match owner {
                    '0' => '1',
                    '1' => '0',
                    other => other,
                })
                .collect();
            let swapped = [parts[0], parts[1], &owners, parts[3]].join(":");
            inner = rules().parse_state(&swapped).unwrap();
        }
        Tainted {
            inner,
            ..state.clone()
        }
    }

    fn transform_action(&self, symmetry: usize, state: &Tainted, action: ActionId) -> ActionId {
        let symmetry = match self.0 {
            Flaw::FirstSymmetryMoves => (symmetry + 1) % self.n_symmetries(),
            Flaw::SymmetryOfStatesOnly => 0,
            _ => symmetry,
        };
        rules().transform_action(symmetry, &state.inner, action)
    }
}
