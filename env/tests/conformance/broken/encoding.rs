use super::{Broken, Flaw, Tainted, rules};
use tablero_env::{ActionFeatures, ActionId, Encode, FeatureImages, FeatureSizes, Notation};

impl Encode for Broken {
    fn encoding_version(&self) -> u32 {
        1
    }

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

    fn policy_slot(&self, state: &Tainted, action: ActionId) -> usize {
        match (self.0, action.0) {
            (Flaw::SharedSlot, 5) => self.policy_slot(state, ActionId(6)),
            (Flaw::SlotOutOfRange, 5) => self.n_policy_slots(),
            _ => rules().policy_slot(&state.inner, action),
        }
    }

    fn feature_sizes(&self) -> FeatureSizes {
        let sizes = rules().feature_sizes();
        match self.0 {
            Flaw::MoreFeaturesThanDeclared => FeatureSizes {
                most_active: 5,
                ..sizes
            },
            Flaw::MoreFeaturesOfAnAction => FeatureSizes {
                most_active_of_action: 1,
                ..sizes
            },
            _ => sizes,
        }
    }

    fn write_features(
        &self,
        state: &Tainted,
        legal: &[ActionId],
        out: &mut Vec<u32>,
        actions: &mut ActionFeatures,
    ) {
        let (old, old_actions) = (out.clone(), actions.clone());
        let mut right = ActionFeatures::new();
        rules().write_features(&state.inner, legal, out, &mut right);
        match self.0 {
            Flaw::FeatureOutOfRange => out.push(self.feature_sizes().features as u32),
            Flaw::UnsortedFeatures => out.reverse(),
            Flaw::RepeatedFeature => out.extend(out.last().copied()),
            Flaw::FeaturesNotCleared => *out = [old, out.clone()].concat(),
            Flaw::FeaturesOfTheHistory if state.rising => out.truncate(1),
            _ => {}
        }
        actions.clear();
        if self.is(Flaw::ActionFeaturesNotCleared) {
            actions.clone_from(&old_actions);
        }
        for (index, features) in right.iter().enumerate() {
            let mut features = features.to_vec();
            match self.0 {
                Flaw::NoActionFeatures if index == 1 => continue,
                Flaw::ActionWithoutFeatures => features.clear(),
                Flaw::UnsortedActionFeatures => features.reverse(),
                Flaw::ActionFeaturesOfTheHistory if state.rising => features.truncate(1),
                Flaw::ActionFeatureOutOfRange => {
                    *features.last_mut().unwrap() = self.feature_sizes().action_features as u32;
                }
                _ => {}
            }
            actions.push(features);
        }
    }

    fn feature_images(&self, symmetry: usize) -> Option<FeatureImages> {
        let next = rules().feature_images((symmetry + 1) % self.n_symmetries());
        let mut images = rules().feature_images(symmetry)?;
        match self.0 {
            Flaw::ImagesTooFew => drop(images.features.pop()),
            Flaw::ImagesOnOneAnother => images.features[0] = images.features[1],
            Flaw::ActionImagesOnOneAnother => images.action_features[0] = images.action_features[1],
            Flaw::FirstImagesMove if symmetry == 0 => return next,
            Flaw::ImagesOfAnotherSymmetry if symmetry > 0 => {
                images
                    .features
                    .clone_from(&rules().feature_images(0)?.features);
            }
            Flaw::ActionImagesOfAnotherSymmetry if symmetry > 0 => {
                let others = rules().feature_images(0)?.action_features;
                images.action_features = others;
            }
            _ => {}
        }
        Some(images)
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
